import { setInterval as every } from 'node:timers/promises'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { errorKind } from '#base/log.ts'
import type { JobServices } from '#service/jobs/run.ts'
import type { Note } from '#contract/model/note.ts'
import { appendAudit } from '../store/audit.ts'
import { inPractice } from '../store/in-practice.ts'
import type { Due } from '../store/retention.ts'
import { eraseBody, firstTranscriptAfter, getPolicy, hasWork, insertErasure, isHeld } from '../store/retention.ts'
import { oldTranscripts, practicesToSweep, sweepAt } from '../store/retention.ts'
import type { Write } from '../store/tables.ts'
import { getTranscript } from '../store/transcripts.ts'
import { createHash } from 'node:crypto'
import { canonicalJson, canonicalNote, eraseQuotes } from '#domain/canonical-note.ts'
import type { ErasedKind, Erasure } from '#contract/model/retention.ts'
import { analysesOf } from '../store/analyses.ts'
import { changeVersions, dropVersions, listNotes, updateNote } from '../store/notes.ts'
import { changed, findRecord, everyPage } from '../store/records.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BETWEEN_MS = 10 * 60 * 1000
const AT_ONCE = 50

type Parts = Pick<JobServices, 'db' | 'clock' | 'log'>

export async function keepSweeping(parts: Parts, closing: AbortSignal): Promise<void> {
  try {
    for await (const _ of every(BETWEEN_MS, undefined, { signal: closing, ref: false })) {
      await sweep(parts).catch((error: unknown) => parts.log.error('retention.failed', { error: errorKind(error) }))
    }
  } catch (error) {
    if (!closing.aborted) throw error
  }
}

export async function sweep({ db, clock, log }: Parts): Promise<number> {
  let erased = 0
  for (;;) {
    const due = await practicesToSweep(db, timestamp(clock), AT_ONCE)
    for (const practice of due) erased += await sweepOrPutOff({ db, clock, log }, practice)
    if (due.length < AT_ONCE) return erased
  }
}

async function sweepOrPutOff({ db, clock, log }: Parts, practice: string): Promise<number> {
  try {
    return await sweepPractice({ db, clock }, practice)
  } catch (error) {
    log.error('retention.failed', { practice, error: errorKind(error) })
    const later = new Date(clock.now() + BETWEEN_MS).toISOString()
    await inPractice(db, practice, (write) => sweepAt(write, practice, later))
    return 0
  }
}

async function sweepPractice({ db, clock }: Omit<Parts, 'log'>, practice: string): Promise<number> {
  let after = ''
  let erased = 0
  let next = clock.now() + DAY_MS
  const again = (write: Write, at: number): Promise<void> => sweepAt(write, practice, new Date(at).toISOString())
  for (;;) {
    const done = await inPractice(db, practice, async (write) => {
      const { transcript_days } = await getPolicy(write, practice)
      if (transcript_days === null || (await hasWork(write, practice))) {
        await again(write, clock.now() + BETWEEN_MS)
        return null
      }
      const keptMs = transcript_days * DAY_MS
      const limit = new Date(clock.now() - keptMs).toISOString()
      const due = await oldTranscripts(write, practice, limit, after, AT_ONCE)
      const outcomes = []
      for (const transcript of due) outcomes.push(await eraseIfDue(write, practice, limit, clock, transcript))
      const dueLater = outcomes.filter((outcome) => typeof outcome === 'number').map((signed) => signed + keptMs)
      const last = due.at(-1)?.id ?? null
      if (last === null) {
        const young = await firstTranscriptAfter(write, practice, limit)
        await again(write, young === null ? next : Math.min(next, Date.parse(young) + keptMs))
      }
      return { last, dueLater, count: outcomes.filter((outcome) => outcome === 'erased').length }
    })
    if (done === null || done.last === null) return erased
    next = Math.min(next, ...done.dueLater)
    erased += done.count
    after = done.last
  }
}

/** @returns 'erased', 'stays', or the Unix milliseconds of a signature, addendum or note creation that is too recent */
async function eraseIfDue(write: Write, practice: string, limit: string, clock: Clock, { id, session_id }: Due) {
  const notes = await notesOf(write, practice, session_id)
  const done = notes.map(doneAt)
  if (done.length === 0 || done.includes(null)) return 'stays'
  const last = Math.max(...done.map(Number))
  if (last > Date.parse(limit)) return last
  const client_id = await clientOf(write, practice, session_id)
  if (await isHeld(write, practice, { client_id, session_id })) return 'stays'
  const now = timestamp(clock)
  const why = { reason: 'retention policy', erased_by: null, client_id }
  await erase(write, practice, 'transcript', await getTranscript(write, practice, id), why, { id: newId(clock), now })
  const traces = await eraseTraces(write, practice, session_id, why, { newId: () => newId(clock), now })
  await appendAudit(write, practice, {
    recorded: now,
    operation: 'retention',
    action: 'D',
    outcome: 'succeeded',
    agent: { person: 'service', key: null, roles: [] },
    source: 'service',
    entities: [id, ...traces],
    consent: null,
    purpose: null,
    request_id: newId(clock),
  })
  return 'erased'
}

/**
 * Unix milliseconds of the last addendum or else of the signature, or of the note's creation if that is later. 0 for a note
 * entered in error; null for a note that is not signed, cosigned or amended.
 */
function doneAt({ status, signature, addenda, created_at }: Note): number | null {
  if (status === 'entered_in_error') return 0
  const last = addenda.at(-1)?.at ?? signature?.at
  const isClosed = status === 'signed' || status === 'cosigned' || status === 'amended'
  // Callers send signature times, so never count from before the note was created.
  return isClosed && last !== undefined ? Math.max(Date.parse(last), Date.parse(created_at)) : null
}

type Why = Pick<Erasure, 'reason' | 'erased_by' | 'client_id'>
type NewId = () => string

export async function erase(
  db: Write,
  practice: string,
  kind: ErasedKind,
  record: { readonly id: string },
  why: Why,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<Erasure> {
  const content_sha256 = sha256(canonicalJson(record))
  const erasure: Erasure = { id, record_kind: kind, record_id: record.id, ...why, erased_at: now, content_sha256 }
  await eraseBody(db, practice, kind, record.id, now)
  if (kind === 'note') await dropVersions(db, practice, record.id)
  await insertErasure(db, practice, erasure)
  return erasure
}

/** Erases the session's analyses, and the transcript quotes in its notes. */
export async function eraseTraces(
  db: Write,
  practice: string,
  session_id: string,
  why: Why,
  { newId, now }: { readonly newId: NewId; readonly now: string },
): Promise<string[]> {
  const touched: string[] = []
  for (const analysis of await analysesOf(db, practice, session_id)) {
    await erase(db, practice, 'analysis', analysis, why, { id: newId(), now })
    touched.push(analysis.id)
  }
  for (const note of await notesOf(db, practice, session_id)) {
    await updateNote(db, practice, withoutQuotes(note, now))
    await changeVersions(db, practice, note.id, (kept) => withoutQuotes(kept, now))
    touched.push(note.id)
  }
  return touched
}

function notesOf(db: Write, practice: string, session_id: string): Promise<Note[]> {
  return everyPage((cursor) => listNotes(db, practice, { limit: 200, session_id, cursor }))
}

export async function clientOf(db: Write, practice: string, session_id: string | null): Promise<string | null> {
  return session_id === null ? null : ((await findRecord(db, 'sessions', practice, session_id))?.client_id ?? null)
}

/** The signature covers the quotes too, so `redacted` stores the hash of the remaining text. */
export function withoutQuotes(note: Note, now: string): Note {
  const closed = changed(eraseQuotes(note, sha256), now)
  return { ...closed, redacted: { at: now, content_hash: sha256(canonicalNote(closed)) } }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
