import type { Database, Write } from './tables.ts'

/** Days. A laptop that was offline may retry weeks later. */
const KEPT_DAYS = 90

export type RecordKind =
  | 'client'
  | 'session'
  | 'consent'
  | 'transcript'
  | 'note'
  | 'analysis'
  | 'upload'
  | 'operation'
  | 'booking'
  | 'model'
  | 'api-key'
  | 'staff'
  | 'break-glass'
  | 'legal-hold'
  | 'erasure'
  | 'coverage'
  | 'authorisation'

export interface KeyScope {
  readonly practice: string
  readonly person: string
  readonly key: string
}

export interface KeptReply {
  readonly request_hash: string
  readonly status: number
  readonly record_kind: RecordKind
  readonly record_id: string
  readonly record_version: number
}

export async function findKept(db: Database, { practice, person, key }: KeyScope, now: number): Promise<KeptReply | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'record_kind', 'record_id', 'record_version'])
    .where('practice_id', '=', practice)
    .where('person_id', '=', person)
    .where('idempotency_key', '=', key)
    .where('created_at', '>=', oldest(now))
    .executeTakeFirst()
  return row === undefined ? null : { ...row, record_kind: row.record_kind as RecordKind }
}

/**
 * Call in the transaction of the effect. `wasSought`: the key is known to be unused; otherwise an existing key fails the insert.
 */
export async function keepReply(
  db: Write,
  { practice, person, key }: KeyScope,
  reply: KeptReply,
  now: number,
  wasSought: boolean,
): Promise<void> {
  await forgetOld(db, practice, now)
  const kept = { ...reply, created_at: new Date(now).toISOString() }
  const insert = db
    .insertInto('idempotency_keys')
    .values({ practice_id: practice, person_id: person, idempotency_key: key, ...kept })
  // A row that exists here has expired, so overwrite it.
  const over = insert.onConflict((conflict) =>
    conflict.columns(['practice_id', 'person_id', 'idempotency_key']).doUpdateSet(kept),
  )
  await (wasSought ? over : insert).execute()
}

const forgotten = new Map<string, number>()
const BETWEEN_MS = 60_000

async function forgetOld(db: Write, practice: string, now: number): Promise<void> {
  if (Math.abs(now - (forgotten.get(practice) ?? -Infinity)) < BETWEEN_MS) return
  if (forgotten.size >= 10_000) forgotten.clear()
  forgotten.set(practice, now)
  await db.deleteFrom('idempotency_keys').where('practice_id', '=', practice).where('created_at', '<', oldest(now)).execute()
}

/** Changes the stored status. With 202, a replay answers with the operation instead of its result. */
export async function keepStatus(db: Database, { practice, person, key }: KeyScope, status: number): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status })
    .where('practice_id', '=', practice)
    .where('person_id', '=', person)
    .where('idempotency_key', '=', key)
    .execute()
}

export async function releaseKey(db: Write, { practice, person, key }: KeyScope): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('practice_id', '=', practice)
    .where('person_id', '=', person)
    .where('idempotency_key', '=', key)
    .execute()
}

function oldest(now: number): string {
  return new Date(now - KEPT_DAYS * 24 * 60 * 60 * 1000).toISOString()
}
