import { createContext, use, useMemo, useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import { ownStatement } from '#domain/note-review.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Autosave } from '../autosave.ts'
import { firstMoment } from './evidence-moments.ts'
import * as edit from './note-edit.ts'
import { answerFinding, evidenceOf, neighbour, nextToCheck, pageSections } from './note-items.ts'
import type { FindingAnswer, NoteItem } from './note-items.ts'

export type NoteEditing = ReturnType<typeof useNoteEditing>

export const NoteEditingContext = createContext<NoteEditing | null>(null)

export function useEditing(): NoteEditing {
  const editing = use(NoteEditingContext)
  if (editing === null) throw new Error('used outside of an editor')
  return editing
}

const now = (): string => new Date().toISOString()

export function useNoteEditing(note: Note, autosave: Autosave<Note>, player: Player) {
  const sections = useMemo(() => pageSections(note, note.template), [note])
  const items = useMemo(() => sections.flatMap((section) => section.items), [sections])
  // The first statement that needs a decision is open beside its source.
  const [selectedId, select] = useState<string | null>(() => nextToCheck(items, null)?.id ?? null)
  const [editingId, startEdit] = useState<string | null>(null)
  const [opened] = useState(note)
  return {
    sections,
    items,
    selected: items.find((item) => item.id === selectedId) ?? null,
    selectedId,
    editingId,
    hasSound: player.source !== null,
    select,
    startEdit,
    move: (step: 1 | -1) => select(neighbour(items, selectedId, step)?.id ?? null),
    next: () => select(nextToCheck(items, selectedId)?.id ?? selectedId),
    play: (id: string) => {
      const item = items.find((candidate) => candidate.id === id)
      const moment = item === undefined ? null : firstMoment(evidenceOf(item))
      select(id)
      if (moment !== null) player.playFrom(moment.start_ms, moment.end_ms)
    },
    finishEdit: (id: string, text: string | null) => {
      if (text !== null && text.trim() !== '') autosave.change((record) => edit.editStatement(record, id, text))
      startEdit(null)
    },
    ...useDecisions({ note, opened }, items, autosave, select),
    ...useAdding(note, selectedId, autosave, select),
  }
}

type Select = (id: string | null) => void

type Notes = Readonly<Record<'note' | 'opened', Note>>

function useDecisions({ note, opened }: Notes, items: readonly NoteItem[], autosave: Autosave<Note>, select: Select) {
  const toast = useToast()
  const decide = (id: string, change: (record: Note) => Note): void => {
    const rest = nextToCheck(items, id)
    if (rest !== null && rest.id !== id) select(rest.id)
    autosave.change(change)
  }
  return {
    answer: (id: string, topic: string, answer: FindingAnswer) => {
      const fresh = { id: crypto.randomUUID(), now: now() }
      autosave.change((record) => answerFinding(record, id, topic, answer, fresh))
      select(fresh.id)
    },
    confirm: (id: string) => decide(id, (record) => edit.confirmStatement(record, id, now())),
    keepOwn: (id: string) => decide(id, (record) => edit.keepAsOwnWords(record, id, now())),
    addSaid: (id: string) => decide(id, (record) => edit.addOmission(record, record.template, id, now())),
    leaveOut: (id: string) => decide(id, (record) => edit.leaveOutOmission(record, id)),
    takeBack: (omissionId: string) => autosave.change((record) => edit.reopenOmission(record, omissionId, opened)),
    remove: (id: string) => {
      const { removed } = edit.removeStatement(note, id)
      if (removed === null) return
      select(neighbour(items, id, 1)?.id ?? null)
      autosave.change((record) => edit.removeStatement(record, id, opened).body)
      toast({ text: words.removed, onUndo: () => autosave.change((record) => edit.restoreStatement(record, removed)) })
    },
  }
}

function useAdding(note: Note, selectedId: string | null, autosave: Autosave<Note>, select: Select) {
  const [adding, setAdding] = useState<{ readonly section_key: string; readonly after_id: string | null } | null>(null)
  return {
    adding,
    startAdd: () => {
      const section = selectedId === null ? undefined : edit.sectionOf(note, selectedId)
      const key = section?.key ?? note.sections[0]?.key
      if (key !== undefined) setAdding({ section_key: key, after_id: section === undefined ? null : selectedId })
    },
    setAddSection: (key: string) => setAdding({ section_key: key, after_id: null }),
    finishAdd: (text: string | null) => {
      if (text !== null && text.trim() !== '' && adding !== null) {
        const statement = ownStatement(crypto.randomUUID(), text)
        autosave.change((record) => edit.addStatement(record, adding.section_key, adding.after_id, statement))
        select(statement.id)
      }
      setAdding(null)
    },
  }
}
