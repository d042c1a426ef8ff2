import { Circle, FileX, Mic, type LucideIcon } from 'lucide-react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { SessionTab } from '#renderer/lib/routes.ts'
import { type appointmentWords, todayStrings } from '#renderer/strings/today.ts'
import type { ChipTone } from '#renderer/ui/chip.tsx'

interface SessionStatus {
  readonly chip: { readonly tone: ChipTone; readonly text: string; readonly icon?: LucideIcon | null } | null
  readonly action: string | null
  readonly tab: SessionTab
}

const { chip, action } = todayStrings
export const signedStatuses: ReadonlySet<string> = new Set(['signed', 'cosigned', 'amended'])

const noneLost: ReadonlySet<string> = new Set()

export const isSigned = (row: SessionRow): boolean => row.note !== null && signedStatuses.has(row.note.status)
export const isOff = (row: SessionRow): boolean => row.session.status === 'cancelled' || row.session.status === 'no_show'
export const isDocumented = ({ recording, transcript, note }: SessionRow): boolean =>
  recording !== null || transcript.present || note !== null
/** True for a past appointment that the therapist has not marked as held, canceled, or a no-show. */
export const isUnconfirmed = (row: SessionRow): boolean => row.owes_note && isPlanned(row) && !isDocumented(row)
const isPlanned = ({ session: { status } }: SessionRow): boolean => status === 'proposed' || status === 'scheduled'
export const mayRecord = (row: SessionRow): boolean =>
  row.consent.granted.includes('record') && !row.consent.missing.some(({ scopes }) => scopes.includes('record'))

function shown(tone: ChipTone, text: string, tab: SessionTab, next?: string, icon?: LucideIcon | null): SessionStatus {
  return { chip: { tone, text, ...(icon === undefined ? {} : { icon }) }, action: next ?? null, tab }
}

export function sessionStatus(row: SessionRow, lostNotes: ReadonlySet<string> = noneLost): SessionStatus {
  const { status } = row.session
  if (status === 'cancelled') return shown('neutral', row.cancellation?.is_late ? chip.lateCancel : chip.canceled, 'record')
  if (status === 'no_show') return shown('neutral', chip.noShow, 'record')
  const recording = row.recording?.state
  if (recording === 'recording' || recording === 'paused') return shown('neutral', chip.recording, 'record', undefined, Circle)
  if (recording === 'interrupted') return shown('needs', chip.interrupted, 'record', action.look, Mic)
  if (row.note) return noteStatus(row.note)
  const working = workStatus(row)
  if (working) return working
  if (lostNotes.has(row.session.id)) return shown('needs', chip.noteLost, 'note', action.look, FileX)
  if (isUnconfirmed(row)) return shown('needs', chip.needsNote, 'note')
  if (needsTranscript(row)) return shown('needs', chip.needsTranscript, 'transcript', action.transcribe)
  if (row.owes_note || recording === 'finished')
    return shown('needs', chip.needsNote, row.transcript.present ? 'transcript' : 'note', action.write)
  if (!mayRecord(row)) return shown('needs', chip.noConsent, 'consent', action.ask)
  return { chip: null, action: null, tab: 'record' }
}

/** True if a transcript can still be made from the recording. */
const needsTranscript = ({ recording, transcript, consent }: SessionRow): boolean =>
  recording?.state === 'finished' &&
  recording.saved_ms > recording.unreadable_ms &&
  !transcript.present &&
  consent.granted.includes('transcribe')

function noteStatus({ status, to_check }: NonNullable<SessionRow['note']>): SessionStatus {
  if (signedStatuses.has(status)) return shown('kept', chip.signed, 'note')
  if (status === 'awaiting_cosign') return shown('kept', chip.awaitingCosign, 'note')
  if (status === 'entered_in_error') return shown('neutral', chip.inError, 'note')
  if (status === 'returned') return shown('needs', chip.returned, 'note', action.review)
  if (to_check > 0) return shown('needs', chip.toCheck({ count: to_check }), 'note', action.review, null)
  return shown('draft', chip.draft, 'note', action.sign)
}

const isUnderWay = ({ state }: SessionRow['note_work']): boolean => state === 'running' || state === 'waiting'

function workStatus({ note_work, transcript: { work } }: SessionRow): SessionStatus | null {
  if (note_work.error === 'engine-not-ready') return shown('needs', chip.waitsForWriter, 'note', action.look)
  if (isUnderWay(note_work)) return shown('neutral', chip.drafting, 'note')
  if (work.error === 'engine-not-ready') return shown('needs', chip.needsTranscript, 'transcript', action.setUp)
  if (isUnderWay(work)) {
    const percent = Math.floor(work.progress * 100)
    return shown('neutral', percent > 0 ? chip.transcribed({ percent }) : chip.transcribing, 'transcript')
  }
  if (work.state === 'failed') return shown('needs', chip.failed, 'transcript', action.look)
  return note_work.state === 'failed' ? shown('needs', chip.failed, 'note', action.look) : null
}

export type AppointmentAction = keyof typeof appointmentWords.actions

/** What can be done to the appointment in its state: nothing while it is recorded, or once its note is signed. */
export function appointmentActions(row: SessionRow, now: Date): AppointmentAction[] {
  const isRecording = row.recording?.state === 'recording' || row.recording?.state === 'paused'
  const isOpen = !isDocumented(row)
  if (isOff(row)) return isOpen ? ['restore', 'delete'] : ['restore']
  if (isRecording || isSigned(row) || row.note?.status === 'awaiting_cosign') return []
  const [held, reschedule] = [isUnconfirmed(row), isPlanned(row)]
  const no_show = isOpen && new Date(row.session.starts_at) <= now
  const offered = { held, reschedule, edit: true, no_show, cancel: isOpen, delete: true }
  return (Object.keys(offered) as (keyof typeof offered)[]).filter((action) => offered[action])
}

export function whatIsLeft(row: SessionRow, lostNotes = noneLost): string {
  const { session, note, note_work, transcript } = row
  const { left } = todayStrings
  if (note?.status === 'returned') return left.returned
  if (note) return note.to_check > 0 ? left.toCheck({ count: note.to_check }) : left.onlySign
  if (note_work.error === 'engine-not-ready') return left.noWriter
  if (isUnderWay(note_work)) return left.drafting
  if (lostNotes.has(session.id)) return left.noteLost
  if (note_work.state === 'failed') return left.draftFailed
  const { work, present } = transcript
  if (work.error === 'engine-not-ready') return left.noEngine
  if (isUnderWay(work)) return left.transcribing
  if (work.state === 'failed') return left.failed
  if (needsTranscript(row)) return left.needsTranscript
  return present ? left.hasTranscript : left.noNote
}

/** Returns the current or next session. A session that did not start on time counts until its scheduled end. */
export function nextSession(rows: readonly SessionRow[], now: Date): SessionRow | null {
  const open = rows.filter(
    (row) => !isOff(row) && row.session.status !== 'completed' && row.recording?.state !== 'finished' && !isSigned(row),
  )
  return open.find((row) => row.session.status === 'in_progress' || new Date(row.session.ends_at) > now) ?? null
}
