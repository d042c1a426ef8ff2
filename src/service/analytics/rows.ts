import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Within } from '../authority/scope.ts'
import type { Database } from '../store/tables.ts'

/**
 * What figures are made of: times, ids and codes, nothing anybody wrote; so what was erased since still counts as done.
 * Psychotherapy notes are in no table that is read here.
 */
export interface SessionRow {
  readonly id: string
  readonly client_id: string
  readonly status: string
  readonly starts_at: string
  readonly ends_at: string
  /** When a note of it was first signed. */
  readonly signed_at: string | null
  /** Of its longest transcript. */
  readonly sound_ms: number | null
}

export interface SignedRow {
  readonly signed_at: string
  readonly client_id: string | null
  /** Of its session; null where it names none. */
  readonly starts_at: string | null
  readonly ends_at: string | null
}

export interface TranscriptRow {
  readonly created_at: string
  readonly client_id: string | null
  readonly duration_ms: number
}

export interface FirstRow {
  readonly client_id: string
  readonly starts_at: string
}

export interface Asked {
  readonly practice: string
  /** RFC 3339; `end` is no part of it. */
  readonly start: string
  readonly end: string
  /** Whose sessions: those they hold, or of their clients where the session names nobody. */
  readonly within: Within
}

export async function sessionRows(db: Database, asked: Asked): Promise<SessionRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('clients', 'clients.id', 'sessions.client_id')
    .leftJoin(
      (from) =>
        from
          .selectFrom('notes')
          .select((eb) => ['notes.session_id', eb.fn.min('notes.signed_at').as('signed_at')])
          .where('notes.practice_id', '=', asked.practice)
          .where('notes.signed_at', 'is not', null)
          .groupBy('notes.session_id')
          .as('signed'),
      (join) => join.onRef('signed.session_id', '=', 'sessions.id'),
    )
    .leftJoin(
      (from) =>
        from
          .selectFrom('transcripts')
          .select((eb) => ['transcripts.session_id', eb.fn.max('transcripts.duration_ms').as('sound_ms')])
          .where('transcripts.practice_id', '=', asked.practice)
          .groupBy('transcripts.session_id')
          .as('sound'),
      (join) => join.onRef('sound.session_id', '=', 'sessions.id'),
    )
    .select([
      'sessions.id',
      'sessions.client_id',
      'sessions.status',
      'sessions.starts_at',
      'sessions.ends_at',
      'signed.signed_at',
      'sound.sound_ms',
    ])
    .where('sessions.practice_id', '=', asked.practice)
    .where('sessions.deleted_at', 'is', null)
    .where('sessions.starts_at', '>=', asked.start)
    .where('sessions.starts_at', '<', asked.end)
    .where(held(asked.within))
    .execute()
  return rows.map((row) => ({ ...row, sound_ms: row.sound_ms === null ? null : Number(row.sound_ms) }))
}

/** Signed in the time asked for. What names neither session nor client is its author's. */
export async function signedRows(db: Database, asked: Asked): Promise<SignedRow[]> {
  const rows = await db
    .selectFrom('notes')
    .leftJoin('sessions', 'sessions.id', 'notes.session_id')
    .leftJoin('clients', (join) =>
      join.on((eb) => eb('clients.id', '=', eb.fn.coalesce('notes.client_id', 'sessions.client_id'))),
    )
    .select(['notes.signed_at', 'clients.id as client_id', 'sessions.starts_at', 'sessions.ends_at'])
    .where('notes.practice_id', '=', asked.practice)
    .where('notes.signed_at', '>=', asked.start)
    .where('notes.signed_at', '<', asked.end)
    .where(made(asked.within, 'notes.author_id'))
    .execute()
  return rows.flatMap(({ signed_at, ...row }) => (signed_at === null ? [] : [{ signed_at, ...row }]))
}

/** Made in the time asked for, from sound of a known length. */
export async function transcriptRows(db: Database, asked: Asked): Promise<TranscriptRow[]> {
  const rows = await db
    .selectFrom('transcripts')
    .leftJoin('sessions', 'sessions.id', 'transcripts.session_id')
    .leftJoin('clients', 'clients.id', 'sessions.client_id')
    .select(['transcripts.created_at', 'transcripts.duration_ms', 'sessions.client_id'])
    .where('transcripts.practice_id', '=', asked.practice)
    .where('transcripts.duration_ms', 'is not', null)
    .where('transcripts.created_at', '>=', asked.start)
    .where('transcripts.created_at', '<', asked.end)
    .where(made(asked.within, 'transcripts.author_id'))
    .execute()
  return rows.flatMap(({ duration_ms, ...row }) => (duration_ms === null ? [] : [{ ...row, duration_ms: Number(duration_ms) }]))
}

/** First completed sessions of clients, where they lie in the time asked for. */
export async function firstRows(db: Database, asked: Asked): Promise<FirstRow[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('clients', 'clients.id', 'sessions.client_id')
    .innerJoin(
      (from) =>
        from
          .selectFrom('sessions as every')
          .select((eb) => ['every.client_id', eb.fn.min('every.starts_at').as('first_at')])
          .where('every.practice_id', '=', asked.practice)
          .where('every.status', '=', 'completed')
          .where('every.deleted_at', 'is', null)
          .groupBy('every.client_id')
          .as('first'),
      (join) => join.onRef('first.client_id', '=', 'sessions.client_id').onRef('first.first_at', '=', 'sessions.starts_at'),
    )
    .select(['sessions.client_id', 'sessions.starts_at'])
    .distinct()
    .where('sessions.practice_id', '=', asked.practice)
    .where('sessions.status', '=', 'completed')
    .where('sessions.deleted_at', 'is', null)
    .where('sessions.starts_at', '>=', asked.start)
    .where('sessions.starts_at', '<', asked.end)
    .where(held(asked.within))
    .execute()
}

/** A session is of who holds it; where it names nobody, of its client's clinician. */
const held = (within: Within) => whose(within, sql`coalesce(sessions.clinician_id, clients.clinician_id)`)

const made = (within: Within, author: string) =>
  whose(
    within,
    sql`case when sessions.id is null and clients.id is null then ${sql.ref(author)}
      else coalesce(sessions.clinician_id, clients.clinician_id) end`,
  )

function whose({ clinicians, unassigned }: Within, clinician: ReturnType<typeof sql>) {
  if (clinicians === 'all') return sql<SqlBool>`1 = 1`
  const named = clinicians.size === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${clinician} in (${sql.join([...clinicians])})`
  return unassigned ? sql<SqlBool>`(${named} or ${clinician} is null)` : named
}
