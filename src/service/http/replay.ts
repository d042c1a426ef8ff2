import type { ErrorCode } from '#contract/errors.ts'
import { AppError, isErrorCode } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Operation } from '#contract/model/operation.ts'
import { operationOf, resultData, loadRecord } from '#service/store/any-record.ts'
import { etagOf } from '#service/kernel/problem.ts'
import type { KeptReply, KeyScope, RecordKind } from '#service/store/idempotency.ts'
import { findKept, releaseKey } from '#service/store/idempotency.ts'
import type { OperationRow } from '#service/store/operations.ts'
import { getOperation, isOver } from '#service/store/operations.ts'
import type { Database, Write } from '#service/store/tables.ts'

/** Placeholder status while the first call still waits for its operation. */
export const STILL_WAITING = 0

/** Refusal of a replay, which does not count toward the quota. */
export class RefusedReplay extends AppError {
  constructor({ code, detail, fields }: AppError) {
    super(code, detail, fields)
  }
}

const endings: ReadonlySet<ErrorCode> = new Set(['idempotency-mismatch', 'gone', 'cancelled'])

/** Null if the key is new or its operation failed. */
export async function replayed(...asked: Parameters<typeof foundAgain>): ReturnType<typeof foundAgain> {
  try {
    return await foundAgain(...asked)
  } catch (error) {
    throw error instanceof AppError && endings.has(error.code) ? new RefusedReplay(error) : error
  }
}

async function foundAgain(
  write: Write,
  route: Route,
  scope: KeyScope,
  hash: string,
  now: number,
): Promise<{ answer: Answer; kind: RecordKind; id: string } | null> {
  const kept = await findKept(write, scope, now)
  if (kept === null) return null
  if (kept.request_hash !== hash) throw new AppError('idempotency-mismatch')
  const answer =
    kept.record_kind === 'operation' ? await fromOperation(write, route, scope, kept) : await fromRecord(write, scope, kept)
  return answer && { answer: { ...answer, isReplay: true }, kind: kept.record_kind, id: kept.record_id }
}

async function fromRecord(write: Write, { practice }: KeyScope, kept: KeptReply): Promise<Answer> {
  const data = await loadRecord(write, practice, kept.record_kind, kept.record_id)
  if (data === null) throw new AppError('gone')
  return { status: kept.status, data }
}

async function fromOperation(write: Write, route: Route, scope: KeyScope, kept: KeptReply): Promise<Answer | null> {
  const row = await getOperation(write, scope.practice, kept.record_id)
  if (row.status === 'failed') {
    // A failed operation may be tried again, so its key becomes free.
    await releaseKey(write, scope)
    return null
  }
  if (kept.status !== STILL_WAITING) return operationAnswer(write, row)
  if (!isOver(row.status)) throw new AppError('still-running')
  return resultOf(write, route, row)
}

export async function resultOf(db: Database, route: Route, row: OperationRow): Promise<Answer> {
  if (row.status === 'cancelled') throw new AppError('cancelled')
  if (row.status === 'succeeded') return recordAnswer(db, row, successStatus(route))
  throw new AppError(isErrorCode(row.error_code) ? row.error_code : 'internal', row.error_detail ?? undefined)
}

export interface Answer {
  readonly status: number
  readonly data: unknown
  readonly isReplay?: boolean
  readonly isAsync?: boolean
}

function successStatus(route: Route): number {
  return Number(Object.keys(route.answers).find((status) => status !== '202') ?? 200)
}

async function recordAnswer(db: Database, row: OperationRow, status: number): Promise<Answer> {
  const data = await resultData(db, row)
  if (data === null) throw new AppError('gone')
  return { status, data }
}

export async function operationAnswer(db: Database, row: OperationRow): Promise<Answer> {
  return { status: 202, data: await operationOf(db, row) }
}

export function answerResponse(path: string, { status, data, isReplay, isAsync }: Answer): Response {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  const version = (data as { version?: unknown } | null)?.version
  if (typeof version === 'number') headers.ETag = etagOf(version)
  if (status === 202) headers.Location = `${baseOf(path)}/operations/${(data as Operation).id}`
  if (isReplay) headers['Idempotency-Replayed'] = 'true'
  if (isAsync) headers['Preference-Applied'] = 'respond-async'
  return new Response(data === undefined ? null : JSON.stringify(data), { status, headers })
}

/** Base path of the call. `/api/ai` has no operations route, so it maps to `/v1`. */
function baseOf(path: string): string {
  return path.startsWith('/api/v1/') ? '/api/v1' : '/v1'
}
