import { setInterval as every } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { Note } from '#contract/model/note.ts'
import { appendAudit } from '../store/audit.ts'
import { inPractice } from '../store/in-practice.ts'
import { isHeld } from '../store/legal-holds.ts'
import { getPolicy, hasWork, oldTranscripts, practicesWithRules } from '../store/retention.ts'
import type { Due } from '../store/retention.ts'
import type { Database, Write } from '../store/tables.ts'
import { getTranscript } from '../store/transcripts.ts'
import { clientOf, erase, eraseTraces, notesOf } from './erase.ts'

const dayMs = 24 * 60 * 60 * 1000
const betweenMs = 10 * 60 * 1000
/** Held at once, so that a practice with years of transcripts does not stand still. */
const atOnce = 50

interface Parts {
  readonly db: Database
  readonly clock: Clock
}

/** Now and then, until `closing`; a sweep that fails is made up for by the next. */
export async function keepSweeping({ db, clock, log }: Parts & { readonly log: Log }, closing: AbortSignal): Promise<void> {
  try {
    for await (const _ of every(betweenMs, undefined, { signal: closing, ref: false })) {
      await sweep({ db, clock }).catch((error: unknown) => log.error('retention.failed', { error: errorKind(error) }))
    }
  } catch (error) {
    if (!closing.aborted) throw error
  }
}

/**
 * Erases transcripts whose time has come by their practice's rule: so many days after every note of the session was
 * signed, under no legal hold, and while nothing of the practice is being worked on. Returns how many.
 */
export async function sweep({ db, clock }: Parts): Promise<number> {
  let erased = 0
  for (const practice of await practicesWithRules(db)) erased += await sweepPractice({ db, clock }, practice)
  return erased
}

async function sweepPractice({ db, clock }: Parts, practice: string): Promise<number> {
  let after = ''
  let erased = 0
  for (;;) {
    const done = await inPractice(db, practice, async (write) => {
      const { transcript_days } = await getPolicy(write, practice)
      if (transcript_days === null || (await hasWork(write, practice))) return null
      const limit = new Date(clock.now() - transcript_days * dayMs).toISOString()
      const due = await oldTranscripts(write, practice, limit, after, atOnce)
      const mayGo = []
      for (const transcript of due) if (await eraseIfDue({ write, practice, limit, clock }, transcript)) mayGo.push(transcript)
      return { last: due.at(-1)?.id ?? null, count: mayGo.length }
    })
    if (done === null || done.last === null) return erased
    erased += done.count
    after = done.last
  }
}

interface Sweeping {
  readonly write: Write
  readonly practice: string
  /** What was signed by then may go. */
  readonly limit: string
  readonly clock: Clock
}

async function eraseIfDue({ write, practice, limit, clock }: Sweeping, { id, session_id }: Due): Promise<boolean> {
  const notes = await notesOf(write, practice, session_id)
  if (notes.length === 0 || !notes.every((note) => isDone(note, limit))) return false
  const client_id = await clientOf(write, practice, session_id)
  if (await isHeld(write, practice, { client_id, session_id })) return false
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
  return true
}

/** One that waits for a supervisor, or came back from one, still needs its source. */
function isDone({ status, signature, addenda, created_at }: Note, limit: string): boolean {
  if (status === 'entered_in_error') return true
  const last = addenda.at(-1)?.at ?? signature?.at
  const isClosed = status === 'signed' || status === 'cosigned' || status === 'amended'
  // A signature names its own time; the note was not signed before it was there.
  return isClosed && last !== undefined && Math.max(Date.parse(last), Date.parse(created_at)) <= Date.parse(limit)
}
