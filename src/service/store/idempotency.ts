import { deleteIn, selectIn, updateIn } from './records.ts'
import type { recordTables } from './any-record.ts'
import type { Database, Tables, Write } from './tables.ts'

/** Days. A laptop that was offline may retry weeks later. */
const KEPT_DAYS = 90

export type RecordKind =
  | keyof typeof recordTables
  | 'note'
  | 'upload'
  | 'operation'
  | 'booking'
  | 'model'
  | 'api-key'
  | 'authorisation'

export interface KeyScope {
  readonly practice: string
  readonly person: string
  readonly key: string
}

type Kept = Pick<Tables['idempotency_keys'], 'request_hash' | 'status' | 'record_id' | 'record_version'>
export type KeptReply = Readonly<Kept> & { readonly record_kind: RecordKind }

export async function findKept(db: Database, { practice, person, key }: KeyScope, now: number): Promise<KeptReply | null> {
  const row = await selectIn(db, 'idempotency_keys', practice)
    .select(['request_hash', 'status', 'record_kind', 'record_id', 'record_version'])
    .where('person_id', '=', person)
    .where('idempotency_key', '=', key)
    .where('created_at', '>=', oldest(now))
    .executeTakeFirst()
  return row === undefined ? null : { ...row, record_kind: row.record_kind as RecordKind }
}

/** `wasSought`: the key is known to have no valid reply; an expired one is replaced. Otherwise, an existing key is an error. */
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
  await deleteIn(db, 'idempotency_keys', practice).where('created_at', '<', oldest(now)).execute()
}

export async function keepStatus(db: Database, { practice, person, key }: KeyScope, status: number): Promise<void> {
  const kept = updateIn(db, 'idempotency_keys', practice).where('person_id', '=', person).where('idempotency_key', '=', key)
  await kept.set({ status }).execute()
}

export async function releaseKey(db: Write, { practice, person, key }: KeyScope): Promise<void> {
  await deleteIn(db, 'idempotency_keys', practice).where('person_id', '=', person).where('idempotency_key', '=', key).execute()
}

function oldest(now: number): string {
  return new Date(now - KEPT_DAYS * 24 * 60 * 60 * 1000).toISOString()
}
