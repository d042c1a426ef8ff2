import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { ClientRepository } from '#core/records/clients/client-repository.ts'
import { endOf, instant } from '#core/records/sessions/change-session.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { Fields } from '#core/outbox/three-way.ts'

export interface Mergeable<Kept extends Client | Session> {
  readonly kind: 'client' | 'session'
  readonly updateIntent: 'update-client' | 'update-session'
  readonly createIntent: 'create-client' | 'create-session'
  readonly names: readonly string[]
  find(id: string): Kept | null
  insert(record: Kept): void
  update(record: Kept): void
  serviceVersion(id: string): number | null
  keepServiceVersion(id: string, version: number): void
  /** Timestamps in this laptop's format, so that equal times compare as equal. */
  normal(record: Kept): Kept
  joined(mine: Kept, merged: Fields, theirs: Kept): Kept
  about(record: Kept): Pick<AnyIntent, 'client_id' | 'session_id' | 'subject_id'>
}

const clientNames = [
  'display_name',
  'given_name',
  'family_name',
  'pronouns',
  'date_of_birth',
  'email',
  'phone',
  'status',
  'clinician_id',
  'diagnoses',
  'insurance',
  'goals',
  'vocabulary',
] as const satisfies readonly (keyof Client)[]

const sessionNames = [
  'session_type',
  'starts_at',
  'duration_minutes',
  'modality',
  'status',
  'participants',
  'time_zone',
  'room_id',
  'cpt_code',
  'presenting_concerns',
  'started_at',
  'finished_at',
] as const satisfies readonly (keyof Session)[]

export function mergeableClients(clients: ClientRepository): Mergeable<Client> {
  return {
    ...clients,
    kind: 'client',
    updateIntent: 'update-client',
    createIntent: 'create-client',
    names: clientNames,
    normal: (client) => client,
    joined: (mine, merged) => ({ ...mine, ...merged }),
    about: ({ id }) => ({ client_id: id, session_id: null, subject_id: id }),
  }
}

export function mergeableSessions(sessions: SessionRepository): Mergeable<Session> {
  return {
    ...sessions,
    kind: 'session',
    updateIntent: 'update-session',
    createIntent: 'create-session',
    names: sessionNames,
    normal: (session) => ({
      ...session,
      starts_at: instant(session.starts_at),
      ends_at: instant(session.ends_at),
      started_at: session.started_at && instant(session.started_at),
      finished_at: session.finished_at && instant(session.finished_at),
    }),
    joined(mine, merged, theirs) {
      const { clinician_id, recurrence, series_id, occurrence_start } = theirs
      const after: Session = {
        ...mine,
        clinician_id: clinician_id ?? mine.clinician_id,
        // The service may not know a series that was booked in this app.
        recurrence: recurrence ?? mine.recurrence,
        series_id: series_id ?? mine.series_id,
        occurrence_start: occurrence_start ?? mine.occurrence_start,
        ...merged,
      }
      return { ...after, ends_at: endOf(after) }
    },
    about: ({ id, client_id }) => ({ client_id, session_id: id, subject_id: id }),
  }
}

export const picked = (record: object, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, (record as Fields)[name] ?? null]))
