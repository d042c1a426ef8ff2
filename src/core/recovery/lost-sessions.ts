import { newId } from '#base/ids.ts'
import { clientDraftSchema } from '#contract/model/client.ts'
import { MAX_SESSION_MINUTES } from '#contract/model/common.ts'
import { type Session, sessionDraftSchema } from '#contract/model/session.ts'
import type { Change } from '#core/records/change.ts'
import type { RecordParts, Repositories } from '#core/records/repositories.ts'
import { endOf } from '#core/records/sessions/change-session.ts'
import { intentsOf } from '#core/sync/push-again.ts'
import type { Inventory } from './inventory.ts'
import { currentCause, inPart, lostItem, type RecoveryItem, reportRecovery } from '#core/vault/recovery-report.ts'

export interface ListedSession extends Readonly<Record<'id' | 'client_id' | 'starts_at', string>> {
  readonly details: Partial<Pick<Session, 'session_type' | 'modality' | 'duration_minutes' | 'participants'>> | null
}

export interface OrphanParts extends Repositories, Pick<RecordParts, 'db' | 'clock' | 'change' | 'settings' | 'outbox'> {
  readonly lostNames: Inventory['lostNames']
}

interface Orphan {
  readonly id: string
  readonly recording_id: string | null
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly saved_ms: number
  readonly client_id: string | null
  readonly written_at: string | null
}

const unknownClient = 'Unknown client'
export const USUAL_MINUTES = 50

const orphansHere = `
  select orphan.id, recording.id as recording_id, recording.started_at, recording.finished_at,
    coalesce(max(recording.saved_ms), 0) as saved_ms, notes.client_id, coalesce(notes.created_at, transcripts.created_at) as written_at
  from (
    select session_id as id from recordings where state <> 'erased'
    union select session_id from transcripts union select session_id from notes) as orphan
  left join recordings as recording on recording.session_id = orphan.id and recording.state <> 'erased'
  left join notes on notes.session_id = orphan.id
  left join transcripts on transcripts.session_id = orphan.id
  where orphan.id is not null and orphan.id not in (select id from sessions)
  group by orphan.id`

/**
 * Recreates missing sessions that the inventory lists, or that have a recording, transcript, or note. Each session whose client
 * is unknown gets its own new client, so that one client's consent does not count for another.
 * @returns ids of the recreated sessions
 */
export function recreateLostSessions(parts: OrphanParts): string[] {
  const { db, clock, change } = parts
  const listed = new Map(parts.lostNames.sessions().map((session) => [session.id, session]))
  const here = new Map((db.prepare(orphansHere).all() as Orphan[]).map((orphan) => [orphan.id, orphan]))
  const ids = [...new Set([...listed.keys(), ...here.keys()])]
  if (ids.length === 0) return ids
  change(['clients', 'sessions', 'recordings', 'recovery'], (made) => {
    const items = ids.flatMap((id) => recreateSession(parts, id, { listed: listed.get(id), here: here.get(id) }, made))
    reportRecovery(db, clock, currentCause(db, 'vault'), items)
  })
  return ids
}

interface Known {
  readonly listed: ListedSession | undefined
  readonly here: Orphan | undefined
}

function recreateSession(parts: OrphanParts, id: string, { listed, here }: Known, made: Change): RecoveryItem[] {
  const known = listed?.client_id ?? here?.client_id ?? null
  const client_id = known ?? newId(parts.clock)
  const items: RecoveryItem[] = []
  if (parts.clients.find(client_id) === null) {
    recreateClient(parts, client_id, made)
    items.push(lostItem('client', inPart(client_id), { client_id }))
  }
  const session = sessionOf(id, client_id, { listed, here }, made.at, parts.settings().therapist_id)
  parts.sessions.insert(session)
  made.audit({ action: 'session.created', subject_id: id, client_id })
  for (const intent of intentsOf.session(parts, id)) made.intend(intent)
  const place = { session_id: id, date: session.starts_at }
  if (here?.recording_id != null) items.push({ ...lostItem('recording', here.recording_id, place), is_recovered: true })
  if (known !== null) items.push(lostItem('session', inPart(id), { ...place, client_id }))
  return items
}

/**
 * Recreates missing clients that have sessions. Their other outbox entries move behind the entry that creates the client,
 * because the service refuses a session without its client.
 */
export function recreateLostClients(parts: OrphanParts): void {
  const { db, clock, change, outbox } = parts
  const query = 'select distinct client_id from sessions where client_id not in (select id from clients)'
  const missing = db.prepare(query).pluck().all() as string[]
  if (missing.length === 0) return
  const moveBehind = db.prepare(
    `update outbox set sequence = sequence + (select max(sequence) from outbox) where client_id = ? and kind <> 'create-client'`,
  )
  change(['clients', 'sessions', 'recovery'], (made) => {
    for (const id of missing) {
      recreateClient(parts, id, made)
      moveBehind.run(id)
    }
    const items = missing.map((id) => lostItem('client', inPart(id), { client_id: id }))
    reportRecovery(db, clock, currentCause(db, 'vault'), items)
  })
  outbox.retry(['not-found'], ({ client_id }) => missing.includes(client_id))
}

function recreateClient(parts: OrphanParts, client_id: string, { at, audit, intend }: Change): void {
  const draft = clientDraftSchema.parse({ display_name: parts.lostNames.nameOf(client_id) ?? unknownClient })
  parts.clients.insert({ ...draft, ...fresh(client_id, at) })
  audit({ action: 'client.created', subject_id: client_id, client_id })
  for (const intent of intentsOf.client(parts, client_id)) intend(intent)
}

function sessionOf(id: string, client_id: string, { listed, here }: Known, at: string, clinician_id: string): Session {
  const { started_at = null, finished_at = null, written_at = null, saved_ms = 0 } = here ?? {}
  const recorded = Math.max(1, Math.ceil(saved_ms / 60_000))
  const usual = listed?.details?.duration_minutes ?? USUAL_MINUTES
  const minutes = listed === undefined && started_at !== null ? recorded : Math.max(usual, recorded)
  const wasHeld = finished_at !== null || (here !== undefined && started_at === null)
  const draft = sessionDraftSchema.parse({
    client_id,
    clinician_id,
    session_type: 'individual',
    ...listed?.details,
    starts_at: listed?.starts_at ?? started_at ?? written_at ?? at,
    duration_minutes: Math.min(MAX_SESSION_MINUTES, minutes),
    status: wasHeld ? 'completed' : started_at === null ? 'scheduled' : 'in_progress',
  })
  const times = { ends_at: endOf(draft), started_at, finished_at }
  return { ...draft, ...fresh(id, at), ...times, series_id: null, occurrence_start: null }
}

const fresh = (id: string, at: string) => ({ id, created_at: at, updated_at: at, version: 1 })
