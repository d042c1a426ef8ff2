import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import { clientDraftSchema } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'

export const now = '2026-01-01T00:00:00.000Z'

/** A client as the service would store one. */
export function aClientRecord(more: Partial<Client> = {}): Client {
  const draft = clientDraftSchema.parse({ display_name: 'Ana Lopez' })
  return { ...draft, id: newId(), created_at: now, updated_at: now, version: 1, ...more }
}

/** Fifty minutes from then on. */
export function aSessionRecord(client_id: string, starts_at: string, more: Partial<Session> = {}): Session {
  const draft = sessionDraftSchema.parse({ client_id, session_type: 'individual', starts_at, duration_minutes: 50 })
  return {
    ...draft,
    id: newId(),
    created_at: now,
    updated_at: now,
    version: 1,
    ends_at: new Date(Date.parse(starts_at) + 50 * 60_000).toISOString(),
    started_at: null,
    finished_at: null,
    series_id: null,
    occurrence_start: null,
    ...more,
  }
}
