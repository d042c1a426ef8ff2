import { Circle, FileX, Mic, type LucideIcon } from 'lucide-react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { SessionTab } from '#renderer/lib/routes.ts'
import { todayStrings } from '#renderer/strings/today.ts'
import type { ChipTone } from '#renderer/ui/chip.tsx'

export interface SessionStatus {
  readonly chip: { readonly tone: ChipTone; readonly text: string; readonly icon?: LucideIcon | null } | null
  readonly action: string | null
  readonly tab: SessionTab
}

const { chip, action } = todayStrings
const signedStatuses = new Set(['signed', 'cosigned', 'amended'])

const noneLost: ReadonlySet<string> = new Set()

export const isSigned = (row: SessionRow): boolean => row.note !== null && signedStatuses.has(row.note.status)
export const isOff = (row: SessionRow): boolean => row.session.status === 'cancelled' || row.session.status === 'no_show'
const isOver = (row: SessionRow): boolean => isOff(row) || row.session.status === 'completed'
export const mayRecord = (row: SessionRow): boolean =>
  row.consent.granted.includes('record') && !row.consent.missing.some(({ scopes }) => scopes.includes('record'))

export function sessionStatus(row: SessionRow, lostNotes: ReadonlySet<string> = noneLost): SessionStatus {
  const { status } = row.session
  if (status === 'cancelled') return { chip: { tone: 'neutral', text: chip.cancelled }, action: null, tab: 'record' }
  if (status === 'no_show') return { chip: { tone: 'neutral', text: chip.noShow }, action: null, tab: 'record' }
  const running = recordingStatus(row)
  if (running) return running
  if (row.note) return noteStatus(row.note)
  const working = workStatus(row)
  if (working) return working
  if (lostNotes.has(row.session.id)) {
    return { chip: { tone: 'needs', text: chip.noteLost, icon: FileX }, action: action.look, tab: 'note' }
  }
  if (status === 'completed' || row.recording?.state === 'finished') {
    return {
      chip: { tone: 'neutral', text: chip.noNote },
      action: action.write,
      tab: row.transcript.present ? 'transcript' : 'note',
    }
  }
  if (!mayRecord(row)) return { chip: { tone: 'needs', text: chip.noConsent }, action: action.ask, tab: 'consent' }
  return { chip: null, action: null, tab: 'record' }
}

function recordingStatus(row: SessionRow): SessionStatus | null {
  switch (row.recording?.state) {
    case 'recording':
    case 'paused':
      return { chip: { tone: 'neutral', text: chip.recording, icon: Circle }, action: null, tab: 'record' }
    case 'interrupted':
      return { chip: { tone: 'needs', text: chip.interrupted, icon: Mic }, action: action.look, tab: 'record' }
    case 'finished':
    case 'erased':
    case undefined:
      return null
  }
}

function noteStatus(note: NonNullable<SessionRow['note']>): SessionStatus {
  switch (note.status) {
    case 'signed':
    case 'cosigned':
    case 'amended':
      return { chip: { tone: 'kept', text: chip.signed }, action: null, tab: 'note' }
    case 'awaiting_cosign':
      return { chip: { tone: 'kept', text: chip.awaitingCosign }, action: null, tab: 'note' }
    case 'entered_in_error':
      return { chip: { tone: 'neutral', text: chip.inError }, action: null, tab: 'note' }
    case 'returned':
      return { chip: { tone: 'needs', text: chip.returned }, action: action.review, tab: 'note' }
    case 'draft':
    case 'in_review':
      return note.to_check > 0
        ? {
            chip: { tone: 'needs', text: chip.toCheck({ count: note.to_check }), icon: null },
            action: action.review,
            tab: 'note',
          }
        : { chip: { tone: 'draft', text: chip.draft }, action: action.sign, tab: 'note' }
  }
}

function workStatus(row: SessionRow): SessionStatus | null {
  const { work } = row.transcript
  if (row.note_work.error === 'engine-not-ready') {
    return { chip: { tone: 'needs', text: chip.waitsForWriter }, action: action.look, tab: 'note' }
  }
  if (row.note_work.state === 'running' || row.note_work.state === 'waiting') {
    return { chip: { tone: 'neutral', text: chip.drafting }, action: null, tab: 'note' }
  }
  if (work.error === 'engine-not-ready') {
    return { chip: { tone: 'needs', text: chip.waitsForTranscript }, action: action.bring, tab: 'transcript' }
  }
  if (work.state === 'running' || work.state === 'waiting') {
    return { chip: { tone: 'neutral', text: chip.transcribing }, action: null, tab: 'transcript' }
  }
  if (work.state === 'failed' || row.note_work.state === 'failed') {
    return {
      chip: { tone: 'needs', text: chip.failed },
      action: action.look,
      tab: work.state === 'failed' ? 'transcript' : 'note',
    }
  }
  return null
}

export function whatIsLeft(row: SessionRow, lostNotes: ReadonlySet<string> = noneLost): string {
  const { left } = todayStrings
  if (row.note) {
    if (row.note.status === 'returned') return left.returned
    return row.note.to_check > 0 ? left.toCheck({ count: row.note.to_check }) : left.onlySign
  }
  if (row.note_work.error === 'engine-not-ready') return left.noWriter
  if (row.note_work.state === 'running' || row.note_work.state === 'waiting') return left.drafting
  if (lostNotes.has(row.session.id)) return left.noteLost
  if (row.note_work.state === 'failed') return left.draftFailed
  const { work, present } = row.transcript
  if (work.error === 'engine-not-ready') return left.noEngine
  if (work.state === 'running' || work.state === 'waiting') return left.transcribing
  if (work.state === 'failed') return left.failed
  return present ? left.hasTranscript : left.noNote
}

/** The current or next session. A session that did not start on time counts until its scheduled end. */
export function nextSession(rows: readonly SessionRow[], now: Date): SessionRow | null {
  const open = rows.filter((row) => !isOver(row) && row.recording?.state !== 'finished' && !isSigned(row))
  return open.find((row) => row.session.status === 'in_progress' || new Date(row.session.ends_at) > now) ?? null
}
