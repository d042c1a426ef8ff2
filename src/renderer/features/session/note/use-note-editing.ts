import { useMemo, useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import { ownStatement } from '#domain/note-review.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Autosave } from '../autosave.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { firstMoment } from './evidence-moments.ts'
import {
  addOmission,
  addStatement,
  confirmStatement,
  editStatement,
  keepAsOwnWords,
  leaveOutOmission,
  removeStatement,
  reopenOmission,
  restoreStatement,
  sectionOf,
} from './note-edit.ts'
import {
  evidenceOf,
  neighbour,
  nextToCheck,
  pageSections,
  type NoteItem,
  type PageSection,
  answerFinding,
  type FindingAnswer,
} from './note-items.ts'

export interface NoteEditing {
  readonly sections: readonly PageSection[]
  readonly items: readonly NoteItem[]
  readonly selected: NoteItem | null
  readonly editingId: string | null
  readonly adding: { readonly section_key: string; readonly after_id: string | null } | null
  select(id: string | null): void
  move(step: 1 | -1): void
  next(): void
  play(id: string): void
  startEdit(id: string | null): void
  finishEdit(id: string, text: string | null): void
  answer(id: string, topic: string, answer: FindingAnswer): void
  confirm(id: string): void
  keepOwn(id: string): void
  remove(id: string): void
  addSaid(id: string): void
  leaveOut(id: string): void
  takeBack(omissionId: string): void
  startAdd(): void
  setAddSection(key: string): void
  finishAdd(text: string | null): void
}

const now = (): string => new Date().toISOString()

export function useNoteEditing(note: Note, autosave: Autosave<Note>, player: Player): NoteEditing {
  const sections = useMemo(() => pageSections(note, note.template), [note])
  const items = useMemo(() => sections.flatMap((section) => section.items), [sections])
  const [selectedId, setSelected] = useState<string | null>(null)
  const [editingId, setEditing] = useState<string | null>(null)
  const decisions = useDecisions(note, items, autosave, setSelected)
  const adding = useAdding(note, selectedId, autosave, setSelected)
  return {
    sections,
    items,
    selected: items.find((item) => item.id === selectedId) ?? null,
    editingId,
    select: setSelected,
    move: (step) => setSelected(neighbour(items, selectedId, step)?.id ?? null),
    next: () => setSelected(nextToCheck(items, selectedId)?.id ?? selectedId),
    play: (id) => {
      const item = items.find((candidate) => candidate.id === id)
      const moment = item === undefined ? null : firstMoment(evidenceOf(item))
      setSelected(id)
      if (moment !== null) player.playFrom(moment.start_ms, moment.end_ms)
    },
    startEdit: setEditing,
    finishEdit: (id, text) => {
      if (text !== null && text.trim() !== '') autosave.change((record) => editStatement(record, id, text))
      setEditing(null)
    },
    ...decisions,
    ...adding,
  }
}

type Select = (id: string | null) => void
type Decisions = Pick<NoteEditing, 'answer' | 'confirm' | 'keepOwn' | 'remove' | 'addSaid' | 'leaveOut' | 'takeBack'>

/**
 * Confirming, adding or leaving out an item counts as the review that signing requires, and selects the next item that needs
 * one.
 */
function useDecisions(note: Note, items: readonly NoteItem[], autosave: Autosave<Note>, select: Select): Decisions {
  const toast = useToast()
  const decide = (id: string, edit: (record: Note) => Note): void => {
    const rest = nextToCheck(items, id)
    if (rest !== null && rest.id !== id) select(rest.id)
    autosave.change(edit)
  }
  return {
    answer: (id, topic, answer) => {
      const fresh = { id: crypto.randomUUID(), now: now() }
      autosave.change((record) => answerFinding(record, id, topic, answer, fresh))
      select(fresh.id)
    },
    confirm: (id) => decide(id, (record) => confirmStatement(record, id, now())),
    keepOwn: (id) => decide(id, (record) => keepAsOwnWords(record, id, now())),
    addSaid: (id) => decide(id, (record) => addOmission(record, record.template, id, now())),
    leaveOut: (id) => decide(id, (record) => leaveOutOmission(record, id)),
    takeBack: (omissionId) => autosave.change((record) => reopenOmission(record, omissionId)),
    remove: (id) => {
      const { removed } = removeStatement(note, id)
      if (removed === null) return
      select(neighbour(items, id, 1)?.id ?? null)
      autosave.change((record) => removeStatement(record, id).body)
      toast({ text: words.removed, onUndo: () => autosave.change((record) => restoreStatement(record, removed)) })
    },
  }
}

type Adding = Pick<NoteEditing, 'adding' | 'startAdd' | 'setAddSection' | 'finishAdd'>

function useAdding(note: Note, selectedId: string | null, autosave: Autosave<Note>, select: Select): Adding {
  const [adding, setAdding] = useState<NoteEditing['adding']>(null)
  return {
    adding,
    startAdd: () => {
      const section = selectedId === null ? undefined : sectionOf(note, selectedId)
      const key = section?.key ?? note.sections[0]?.key
      if (key !== undefined) setAdding({ section_key: key, after_id: section === undefined ? null : selectedId })
    },
    setAddSection: (key) => setAdding({ section_key: key, after_id: null }),
    finishAdd: (text) => {
      if (text !== null && text.trim() !== '' && adding !== null) {
        const statement = ownStatement(crypto.randomUUID(), text)
        autosave.change((record) => addStatement(record, adding.section_key, adding.after_id, statement))
        select(statement.id)
      }
      setAdding(null)
    },
  }
}
