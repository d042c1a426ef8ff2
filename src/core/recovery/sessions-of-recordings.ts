import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { clientDraftSchema } from '#contract/model/client.ts'
import { mostSessionMinutes, type Session, sessionDraftSchema } from '#contract/model/session.ts'
import type { MakeChange } from '#core/records/change.ts'
import type { Repositories } from '#core/records/repositories.ts'
import { endOf } from '#core/records/sessions/change-session.ts'
import { tellingOf } from '#core/sync/tell-again.ts'
import { currentCause, inPart, type RecoveryItem, reportRecovery } from '#core/vault/recovery-report.ts'

/** Whose a lost session was, by the inventory. */
export type ClientOfLost = (sessionId: string) => { readonly id: string; readonly name: string } | null

export interface OrphanParts extends Repositories {
  readonly db: Sqlite
  readonly clock: Clock
  readonly change: MakeChange
  readonly settings: () => Settings
  readonly clientOfLost: ClientOfLost
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
      const listed = parts.clientOfLost(orphan.session_id)
      const client_id = listed?.id ?? newId(clock)
      if (parts.clients.find(client_id) === null) {
        const draft = clientDraftSchema.parse({ display_name: listed?.name ?? unknownClient })
        parts.clients.insert({ ...draft, ...fresh(client_id, at) })
        audit({ action: 'client.created', subject_id: client_id, client_id })
        for (const intent of tellingOf.client(parts, client_id)) intend(intent)
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
