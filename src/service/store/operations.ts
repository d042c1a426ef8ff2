import type { Selectable } from 'kysely'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { NotFound } from '#service/kernel/problem.ts'
import { selectIn } from './records.ts'
import { sealed, sealedOrNull } from './sealed.ts'
import type { Database, Tables, Write } from './tables.ts'

export interface WorkQueue {
  added(write: Write, operation: Pick<OperationRow, 'id' | 'kind' | 'practice_id'>): Promise<void>
  ended(write: Write, operation: Job): Promise<void>
  handedBack(write: Write, operation: Job): Promise<void>
}

const queues = new WeakMap<object, WorkQueue>()

const queueOf = (db: Database): WorkQueue | undefined => queues.get(db.getExecutor().adapter)

export function setQueue(db: Database, queue: WorkQueue): void {
  queues.set(db.getExecutor().adapter, queue)
}

export type OperationRow = Selectable<Tables['operations']>
export type OperationKind = OperationRow['kind']
type Job = Pick<OperationRow, 'id' | 'kind'>

export const LEASE_MS = 60_000

/** After this many starts without progress, assume that the operation itself crashes the process. */
const MAX_ATTEMPTS = 3

export const isOver = (status: OperationRow['status']): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled'

export const askerOf = ({ agent }: Pick<OperationRow, 'agent'>): string =>
  (JSON.parse(agent) as { agent: { person: string } }).agent.person

export async function getOperation(db: Database, practice: string, id: string): Promise<OperationRow> {
  const row = await selectIn(db, 'operations', practice).selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new NotFound(id)
  return row
}

const MAX_WAITING = 100
const RETRY_SECONDS = 60

const untouched = {
  status: 'queued',
  progress: 0,
  result_kind: null,
  result_id: null,
  error_code: null,
  error_detail: null,
  attempts: 0,
  lease_owner: null,
  lease_until: 0,
} as const

export async function insertOperation(
  db: Write,
  operation: Pick<OperationRow, 'id' | 'practice_id' | 'kind' | 'route' | 'payload' | 'agent'>,
  now: string,
  text: string | null = null,
): Promise<void> {
  await requireRoom(db, operation)
  const { id, practice_id, payload } = operation
  const row = { ...operation, payload: sealedOrNull(payload), ...untouched, created_at: now, updated_at: now }
  await db.insertInto('operations').values(row).execute()
  const said = text === null ? [] : [{ operation_id: id, practice_id, text: sealed(text) }]
  if (said.length > 0) await db.insertInto('operation_texts').values(said).execute()
  await queueOf(db)?.added(db, operation)
}

async function requireRoom(db: Write, operation: Pick<OperationRow, 'practice_id' | 'agent'>): Promise<void> {
  const operations = selectIn(db, 'operations', operation.practice_id).select('agent')
  const open = await operations.where('status', 'in', ['queued', 'running']).execute()
  if (open.length < MAX_WAITING) return
  const person = askerOf(operation)
  if (open.filter((each) => askerOf(each) === person).length >= MAX_WAITING)
    throw new AppError('too-many-operations', undefined, [], { retrySeconds: RETRY_SECONDS })
}

export async function findOperationText(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('operation_texts').select('text').where('operation_id', '=', id).executeTakeFirst()
  return row?.text ?? null
}

export async function claimOperation(
  db: Write,
  kind: OperationKind,
  owner: string,
  now: number,
  { busy, except }: { readonly busy: ReadonlySet<string>; readonly except: ReadonlySet<string> },
): Promise<OperationRow | null> {
  let waiting = db.selectFrom('operations').selectAll().where('kind', '=', kind)
  if (busy.size > 0) waiting = waiting.where('id', 'not in', [...busy])
  if (except.size > 0) waiting = waiting.where('practice_id', 'not in', [...except])
  const row = await waiting
    .where((where) =>
      where.or([
        where('status', '=', 'queued'),
        // A worker may reclaim a running row that it owns: it had failed to store the end of the operation or to hand it back.
        where.and([
          where('status', '=', 'running'),
          where.or([where('lease_until', '<', now), where('lease_owner', '=', owner)]),
        ]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : claimRow(db, row, owner, now)
}

export async function claimRow(db: Write, row: OperationRow, owner: string, now: number): Promise<OperationRow> {
  const claim = {
    status: 'running' as const,
    attempts: row.attempts + 1,
    lease_owner: owner,
    lease_until: now + LEASE_MS,
    updated_at: new Date(now).toISOString(),
  }
  await db.updateTable('operations').set(claim).where('id', '=', row.id).execute()
  return { ...row, ...claim }
}

export const isHopeless = (row: OperationRow): boolean => row.attempts > MAX_ATTEMPTS

/** For SQLite only: one process runs the operations of a store, so leases of an earlier process are void. */
export async function freeLeases(db: Database): Promise<void> {
  await db.updateTable('operations').set({ lease_until: 0 }).where('status', '=', 'running').execute()
}

const leased = (db: Database, id: string, owner: string) =>
  db.updateTable('operations').where('id', '=', id).where('lease_owner', '=', owner)

export async function handBack(db: Write, operation: Job, owner: string): Promise<void> {
  const { numUpdatedRows } = await leased(db, operation.id, owner)
    .set((row) => ({ lease_owner: null, lease_until: 0, attempts: row('attempts', '-', 1) }))
    .where('status', '=', 'running')
    .where('attempts', '>', 0)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await queueOf(db)?.handedBack(db, operation)
}

export async function runningElsewhere(db: Write, owner: string): Promise<(Job & { lease_owner: string })[]> {
  const rows = await db
    .selectFrom('operations')
    .select(['id', 'kind', 'lease_owner'])
    .where('status', '=', 'running')
    .where('lease_owner', 'is not', null)
    .where('lease_owner', '!=', owner)
    .execute()
  return rows.flatMap(({ lease_owner, ...row }) => (lease_owner === null ? [] : [{ ...row, lease_owner }]))
}

export async function forsake(db: Write, operation: Job): Promise<void> {
  await db.updateTable('operations').set({ lease_owner: null, lease_until: 0 }).where('id', '=', operation.id).execute()
  await queueOf(db)?.handedBack(db, operation)
}

export async function isTakenUp(db: Database, id: string, owner: string): Promise<boolean> {
  const row = await db.selectFrom('operations').select(['status', 'lease_owner']).where('id', '=', id).executeTakeFirst()
  return row !== undefined && !isOver(row.status) && row.lease_owner !== owner
}

export async function renewLease(db: Database, id: string, owner: string, until: number): Promise<boolean> {
  return (await leased(db, id, owner).set({ lease_until: until }).executeTakeFirst()).numUpdatedRows > 0n
}

export async function setProgress(db: Database, id: string, owner: string, progress: number, now: string): Promise<void> {
  await leased(db, id, owner).set({ progress, updated_at: now }).where('status', '=', 'running').execute()
}

export type ResultKind = 'transcript' | 'note' | 'analysis' | 'model' | 'coverage'
export type Ending =
  | { readonly status: 'succeeded'; readonly result_kind: ResultKind; readonly result_id: string }
  | { readonly status: 'failed'; readonly code: ErrorCode; readonly detail: string | null }
  | { readonly status: 'cancelled' }

const isMendable = (code: ErrorCode): boolean => code === 'engine-failed' || code === 'model-damaged'

/**
 * False if the operation had already ended, or if `owner` is given and does not hold the lease. A transcription that failed
 * because of its engine or model keeps its payload and pieces for a retry.
 */
export async function endOperation(db: Write, { id, kind }: Job, ending: Ending, now: string, owner?: string): Promise<boolean> {
  const staysForNextTry = kind === 'transcribe' && ending.status === 'failed' && isMendable(ending.code)
  let ended = db
    .updateTable('operations')
    .set({
      status: ending.status,
      ...(ending.status === 'succeeded' ? { progress: 1, result_kind: ending.result_kind, result_id: ending.result_id } : {}),
      ...(ending.status === 'failed' ? { error_code: ending.code, error_detail: ending.detail } : {}),
      ...(staysForNextTry ? {} : { payload: null }),
      lease_owner: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
  if (owner !== undefined) ended = ended.where('lease_owner', '=', owner)
  const { numUpdatedRows } = await ended.executeTakeFirst()
  if (numUpdatedRows > 0n) await queueOf(db)?.ended(db, { id, kind })
  await db.deleteFrom('operation_texts').where('operation_id', '=', id).execute()
  if (!staysForNextTry) await db.deleteFrom('operation_pieces').where('operation_id', '=', id).execute()
  return numUpdatedRows > 0n
}

/** On PostgreSQL, checks one practice, or all of them inside `acrossPractices`. On SQLite, always checks all. */
export async function isTranscribing(db: Database): Promise<boolean> {
  const running = db.selectFrom('operations').select('id').where('kind', '=', 'transcribe').where('status', '=', 'running')
  return (await running.executeTakeFirst()) !== undefined
}
