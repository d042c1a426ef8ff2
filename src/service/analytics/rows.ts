import { mayReach, type Within } from '#service/access/authorization.ts'
import type { Database } from '../store/tables.ts'

export interface SessionRow {
  readonly client_id: string
  readonly status: string
  readonly starts_at: string
  readonly ends_at: string
  readonly signed_at: string | null
  readonly sound_ms: number | null
}

export interface SignedRow {
  readonly signed_at: string
  readonly client_id: string | null
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

export interface Counted {
  readonly sessions: readonly SessionRow[]
  readonly signed: readonly SignedRow[]
  readonly transcripts: readonly TranscriptRow[]
  readonly firsts: readonly FirstRow[]
}

export interface Asked {
  readonly practice: string
  readonly start: string
  readonly end: string
  readonly within: Within
}

type Session = Awaited<ReturnType<typeof sessionsIn>>[number]

export async function rowsIn(db: Database, asked: Asked): Promise<Counted> {
  const isHere = (at: string): boolean => at >= asked.start && at < asked.end
  const sessions = new Map((await sessionsIn(db, asked)).map((session) => [session.id, session]))
  const notes = await signedSince(db, asked)
  const transcripts = await soundSince(db, asked)
  const signed = notes.filter(({ signed_at }) => isHere(signed_at))
  const made = transcripts.filter(({ created_at }) => isHere(created_at))
  const named = [...signed, ...made].flatMap(({ session_id }) => session_id ?? [])
  const earlier = await sessionsNamed(db, asked, named, sessions)
  const sessionOf = (id: string | null): Session | null => (id === null ? null : (sessions.get(id) ?? earlier.get(id) ?? null))
  const reaches = await reachOver(db, asked)
  const earliest = (one: string, other: string): string => (one < other ? one : other)
  const signatures = extreme(notes, ({ signed_at }) => signed_at, earliest)
  const sounds = extreme(transcripts, ({ duration_ms }) => duration_ms, Math.max)
  return {
    sessions: [...sessions.values()]
      .filter((session) => reaches(session, session.client_id, null))
      .map((one) => ({ ...one, signed_at: signatures.get(one.id) ?? null, sound_ms: sounds.get(one.id) ?? null })),
    signed: signed.flatMap((note) => {
      const session = sessionOf(note.session_id)
      const client_id = note.client_id ?? session?.client_id ?? null
      const { starts_at = null, ends_at = null } = session ?? {}
      return reaches(session, client_id, note.author_id) ? [{ signed_at: note.signed_at, client_id, starts_at, ends_at }] : []
    }),
    transcripts: made.flatMap(({ session_id, author_id, created_at, duration_ms }) => {
      const session = sessionOf(session_id)
      const client_id = session?.client_id ?? null
      return reaches(session, client_id, author_id) ? [{ created_at, client_id, duration_ms }] : []
    }),
    firsts: firstsAmong([...sessions.values()], await firstTimes(db, asked)).filter((session) =>
      reaches(session, session.client_id, null),
    ),
  }
}

function sessionsOf(db: Database, { practice }: Asked) {
  const columns = ['id', 'client_id', 'clinician_id', 'status', 'starts_at', 'ends_at'] as const
  return db.selectFrom('sessions').select(columns).where('practice_id', '=', practice)
}

function sessionsIn(db: Database, asked: Asked) {
  const query = sessionsOf(db, asked).where('starts_at', '>=', asked.start).where('starts_at', '<', asked.end)
  return query.where('deleted_at', 'is', null).execute()
}

async function signedSince(db: Database, { practice, start }: Asked) {
  const rows = await db
    .selectFrom('notes')
    .select(['session_id', 'client_id', 'author_id', 'signed_at'])
    .where('practice_id', '=', practice)
    .where('signed_at', '>=', start)
    .execute()
  return rows.flatMap(({ signed_at, ...row }) => (signed_at === null ? [] : [{ ...row, signed_at }]))
}

async function soundSince(db: Database, { practice, start }: Asked) {
  const rows = await db
    .selectFrom('transcripts')
    .select(['session_id', 'author_id', 'created_at', 'duration_ms'])
    .where('practice_id', '=', practice)
    .where('created_at', '>=', start)
    .where('duration_ms', 'is not', null)
    .execute()
  return rows.map(({ duration_ms, ...row }) => ({ ...row, duration_ms: Number(duration_ms) }))
}

const AT_ONCE = 500

async function sessionsNamed(db: Database, asked: Asked, ids: readonly string[], known: ReadonlyMap<string, Session>) {
  const missing = [...new Set(ids)].filter((id) => !known.has(id))
  const found = new Map<string, Session>()
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const some = missing.slice(from, from + AT_ONCE)
    for (const row of await sessionsOf(db, asked).where('id', 'in', some).execute()) found.set(row.id, row)
  }
  return found
}

async function firstTimes(db: Database, { practice }: Asked): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('sessions')
    .select((eb) => ['client_id', eb.fn.min('starts_at').as('first_at')])
    .where('practice_id', '=', practice)
    .where('status', '=', 'completed')
    .where('deleted_at', 'is', null)
    .groupBy('client_id')
    .execute()
  return new Map(rows.map(({ client_id, first_at }) => [client_id, first_at]))
}

function firstsAmong(sessions: readonly Session[], firsts: ReadonlyMap<string, string>): Session[] {
  const first = sessions.filter((one) => one.status === 'completed' && firsts.get(one.client_id) === one.starts_at)
  return [...new Map(first.map((one) => [one.client_id, one])).values()]
}

async function reachOver(db: Database, { practice, within }: Asked) {
  if (within.clinicians === 'all') return () => true
  const rows = await db.selectFrom('clients').select(['id', 'clinician_id']).where('practice_id', '=', practice).execute()
  const clinicians = new Map(rows.map(({ id, clinician_id }) => [id, clinician_id]))
  return (session: Session | null, client_id: string | null, author_id: string | null): boolean => {
    if (session === null && client_id === null) return mayReach(within, author_id)
    return mayReach(within, session?.clinician_id ?? clinicians.get(client_id ?? '') ?? null)
  }
}

function extreme<Row extends { readonly session_id: string | null }, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value,
  better: (one: Value, other: Value) => Value,
): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>()
  for (const row of rows) {
    if (row.session_id === null) continue
    const before = found.get(row.session_id)
    found.set(row.session_id, before === undefined ? valueOf(row) : better(before, valueOf(row)))
  }
  return found
}
