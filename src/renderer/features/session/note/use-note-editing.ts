import { createContext, use, useEffect, useMemo, useState } from 'react'
import type { Note, NoteSection } from '#contract/model/note.ts'
import { carriedStatements, formsIn, homeIn, regroup, sectionsOf } from '#domain/note-sections.ts'
import type { Template } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { BridgeFailure, call, useCall } from '#renderer/bridge/use-bridge.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Autosave } from '../autosave.ts'
import { peopleOf, useSession } from '../session-data.ts'
import { knownSpeakerOf } from '../transcript/speakers.ts'
import { firstMoment } from './evidence-moments.ts'
import * as edit from './note-edit.ts'
import { answerFinding, evidenceOf, neighbour, nextToCheck, pageSections } from './note-items.ts'
import type { FindingAnswer, NoteItem } from './note-items.ts'

interface NoteOf {
  readonly note: Note
  readonly transcript: Transcript | null
}

export type NoteEditing = ReturnType<typeof useNoteEditing>

export const NoteEditingContext = createContext<NoteEditing | null>(null)

export function useEditing(): NoteEditing {
  const editing = use(NoteEditingContext)
  if (editing === null) throw new Error('used outside of an editor')
  return editing
}

const now = (): string => new Date().toISOString()

export function useNoteEditing({ note, transcript }: NoteOf, autosave: Autosave<Note>, player: Player) {
  const sections = useMemo(() => pageSections(note, true), [note])
  const items = useMemo(() => sections.flatMap((section) => section.items), [sections])
  // The first statement that needs a decision is open beside its source.
  const [selectedId, select] = useState<string | null>(() => nextToCheck(items, null)?.id ?? null)
  const [editingId, startEdit] = useState<string | null>(null)
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
    save: () => autosave.flush(),
    restore: async (number: number) => {
      const saved = await autosave.flush()
      if (saved === null) throw new BridgeFailure('stale-version')
      autosave.replace(await call('notes.restore', { id: saved.id, version: saved.version, number }))
    },
    type: (key: string, text: string) => autosave.change((record) => edit.typeText(record, key, text)),
    ...useDecisions({ note, transcript }, items, autosave, select),
    ...useSections(note, autosave, select),
  }
}

type Select = (id: string | null) => void

/** Selects the statement that the page was opened at. */
export function useOpenAt(statementId: string | null, select: Select): void {
  useEffect(() => {
    if (statementId !== null) select(statementId)
  }, [statementId, select])
}

export function useFocusSelected(id: string | null, editingId: string | null = null): void {
  useEffect(() => {
    if (id === null || editingId !== null) return
    const row = document.querySelector<HTMLElement>(`[data-note-item="${CSS.escape(id)}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    const active = document.activeElement
    const isFree =
      active === null ||
      active === document.body ||
      active.matches('main, [data-region], [role=tabpanel]') ||
      active.closest('.note-main') !== null
    const isThere = active?.closest('[data-note-item]')?.getAttribute('data-note-item') === id
    if (isFree && !isThere) row?.querySelector<HTMLElement>('.statement-text')?.focus({ preventScroll: true })
  }, [id, editingId])
}

function useDecisions({ note, transcript }: NoteOf, items: readonly NoteItem[], autosave: Autosave<Note>, select: Select) {
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
    addSaid: (id: string) => {
      const said = note.omissions.find((omission) => omission.id === id)?.evidence[0]?.segment_id
      const prose = (quote: string): string => words.addedAs({ ...speakerIn(transcript, said), quote })
      decide(id, (record) => edit.addOmission(record, { id, now: now(), prose }))
    },
    leaveOut: (id: string) => decide(id, (record) => edit.leaveOutOmission(record, id)),
    takeBack: (omissionId: string) => autosave.change((record) => edit.reopenOmission(record, omissionId)),
    remove: (id: string) => {
      const { removed } = edit.removeStatement(note, id)
      if (removed === null) return
      select(neighbour(items, id, 1)?.id ?? null)
      autosave.change((record) => edit.removeStatement(record, id).body)
      toast({ text: words.removed, onUndo: () => autosave.change((record) => edit.restoreStatement(record, removed)) })
    },
  }
}

function useSections(note: Note, autosave: Autosave<Note>, select: Select) {
  const toast = useToast()
  const people = peopleOf(useSession().row)
  const templates = useCall('templates.list', {}).data
  const own = templates ?? []
  return {
    /** Null until they are known, and if the template was deleted. */
    forms: templates === undefined ? null : sectionsOf(note.template, own, people),
    switchTemplate: (template: Template, name: string) => {
      const { record: before } = autosave.getState()
      const to = sectionsOf(template, own, people)
      if (to === null || template === before.template) return
      const after = { ...before, template, sections: regroup(before.sections, formsIn(before, own), to) }
      const undo = ({ sections, ...record }: Note): Note => {
        const isSame = JSON.stringify(sections) === JSON.stringify(after.sections)
        const back = isSame ? before.sections : regroup(sections, to, formsIn(before, own))
        return { ...record, template: before.template, sections: back }
      }
      autosave.change(() => after)
      toast({ text: words.switched({ template: name }), onUndo: () => autosave.change(undo) })
    },
    putSectionIn: (key: string, target: string) => autosave.change((record) => edit.moveSection(record, key, target)),
    leaveSectionOut: (section: NoteSection) => {
      const back = (record: Note): Note => ({ ...record, sections: [...record.sections, section] })
      autosave.change((record) => edit.dropSection(record, section.key))
      toast({ text: words.sectionLeftOut({ section: section.title }), onUndo: () => autosave.change(back) })
    },
    carry: (section: NoteSection, other: Note, from: string) => {
      const key = homeIn(note, section, other, own)
      const added = carriedStatements(note, section, from, () => crypto.randomUUID())
      autosave.change((record) => added.reduce((body, statement) => edit.addAboveTyped(body, key, statement), record))
      select(added[0]?.id ?? null)
    },
  }
}

function speakerIn(transcript: Transcript | null, segmentId: string | undefined) {
  const segment = transcript?.segments.find(({ id }) => id === segmentId)
  const speaker = segment === undefined ? undefined : knownSpeakerOf(transcript, segment)
  if (speaker === undefined) return { who: 'unknown', name: '' } as const
  const isOnly = transcript?.speakers.filter(({ role }) => role === speaker.role).length === 1
  const isNamed = speaker.role !== 'therapist' && (speaker.role !== 'client' || !isOnly)
  return { who: isNamed ? 'named' : speaker.role, name: speaker.label }
}
