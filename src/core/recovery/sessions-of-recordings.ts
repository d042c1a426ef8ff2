import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { clientDraftSchema } from '#contract/model/client.ts'
import { mostSessionMinutes, type Session, sessionDraftSchema } from '#contract/model/session.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Change, MakeChange } from '#core/records/change.ts'
import type { Repositories } from '#core/records/repositories.ts'
import { endOf } from '#core/records/sessions/change-session.ts'
import { tellingOf } from '#core/sync/tell-again.ts'
import { currentCause, inPart, type RecoveryItem, reportRecovery } from '#core/vault/recovery-report.ts'

/** Whose a lost session was, and what a lost client was called, by the inventory. */
export interface LostNames {
  clientOf(sessionId: string): { readonly id: string; readonly name: string } | null
  nameOf(clientId: string): string | null
}

export interface OrphanParts extends Repositories {
  readonly db: Sqlite
  readonly clock: Clock
  readonly change: MakeChange
  readonly settings: () => Settings
  readonly outbox: Pick<Outbox, 'retry'>
  readonly lostNames: LostNames
}

interface Orphan {
  readonly id: string
  readonly session_id: string
  readonly started_at: string
  readonly finished_at: string | null
  readonly saved_ms: number
}

const unknownClient = 'Unknown client'

/**
 * A recording whose session is in neither database gets a session, so that it can be opened, played and finished. Whose it
 * was is what the inventory says. Where it does not: one client for each session, so that nobody's consent counts for
 * somebody else.
 */
export function giveRecordingsSessions(parts: OrphanParts): void {
  const { db, clock, change } = parts
  const orphans = db
    .prepare(
      `select id, session_id, started_at, finished_at, max(saved_ms) as saved_ms from recordings
       where state <> 'erased' and not exists (select 1 from sessions where sessions.id = recordings.session_id) group by session_id`,
    )
    .all() as Orphan[]
  if (orphans.length === 0) return
  change(['clients', 'sessions', 'recordings', 'recovery'], ({ at, audit, intend }) => {
    const items: RecoveryItem[] = []
    for (const orphan of orphans) {
      const listed = parts.lostNames.clientOf(orphan.session_id)
      const client_id = listed?.id ?? newId(clock)
      if (parts.clients.find(client_id) === null) {
        giveClient(parts, client_id, listed?.name, { at, audit, intend })
        if (listed !== null) items.push(inPartOf('client', client_id, { client_id, session_id: null, date: null }))
      }
      parts.sessions.insert(sessionOf(orphan, client_id, at, parts.settings().therapist_id))
      audit({ action: 'session.created', subject_id: orphan.session_id, client_id })
      for (const intent of tellingOf.session(parts, orphan.session_id)) intend(intent)
      const place = { client_id: null, session_id: orphan.session_id, date: orphan.started_at }
      items.push({ kind: 'recording', subject_id: orphan.id, is_recovered: true, ...place })
      if (listed !== null) items.push(inPartOf('session', orphan.session_id, { ...place, client_id }))
    }
    reportRecovery(db, clock, currentCause(db, 'vault'), items)
  })
}

/**
 * A session whose client is in neither database gets the client back, under the id it had. Without a client no window shows
 * the session, and no service takes it: what was to be sent of it waits behind the client.
 */
export function giveSessionsClients(parts: OrphanParts): void {
  const { db, clock, change, outbox } = parts
  const query = 'select distinct client_id from sessions where client_id not in (select id from clients)'
  const missing = db.prepare(query).pluck().all() as string[]
  if (missing.length === 0) return
  const goesBehind = db.prepare(
    `update outbox set sequence = sequence + (select max(sequence) from outbox) where client_id = ? and kind <> 'create-client'`,
  )
  change(['clients', 'sessions', 'recovery'], (made) => {
    for (const id of missing) {
      giveClient(parts, id, parts.lostNames.nameOf(id), made)
      goesBehind.run(id)
    }
    const place = { session_id: null, date: null }
    const items = missing.map((id) => inPartOf('client', id, { client_id: id, ...place }))
    reportRecovery(db, clock, currentCause(db, 'vault'), items)
  })
  outbox.retry(['not-found'], ({ client_id }) => missing.includes(client_id))
}

function giveClient(parts: OrphanParts, client_id: string, name: string | null | undefined, { at, audit, intend }: Change): void {
  const draft = clientDraftSchema.parse({ display_name: name ?? unknownClient })
  parts.clients.insert({ ...draft, ...fresh(client_id, at) })
  audit({ action: 'client.created', subject_id: client_id, client_id })
  for (const intent of tellingOf.client(parts, client_id)) intend(intent)
}

/** Of a client only the name is back, of a session only when it was recorded. */
const inPartOf = (
  kind: 'client' | 'session',
  id: string,
  place: Pick<RecoveryItem, 'client_id' | 'session_id' | 'date'>,
): RecoveryItem => ({ kind, subject_id: inPart(id), is_recovered: false, ...place })

function sessionOf(
  { session_id, started_at, finished_at, saved_ms }: Orphan,
  client_id: string,
  at: string,
  clinician_id: string,
): Session {
  const minutes = Math.ceil(saved_ms / 60_000)
  const draft = sessionDraftSchema.parse({
    client_id,
    clinician_id,
    session_type: 'individual',
    starts_at: started_at,
    duration_minutes: Math.min(mostSessionMinutes, Math.max(1, minutes)),
    status: finished_at === null ? 'in_progress' : 'completed',
  })
  return {
    ...draft,
    ...fresh(session_id, at),
    ends_at: endOf(draft),
    started_at,
    finished_at,
    series_id: null,
    occurrence_start: null,
  }
}

const fresh = (id: string, at: string) => ({ id, created_at: at, updated_at: at, version: 1 })
