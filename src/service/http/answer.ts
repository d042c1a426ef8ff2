import { AppError } from '#contract/errors.ts'
import type { Operation } from '#contract/model/operation.ts'
import type { Route } from '#contract/rest/route.ts'
import { operationOf, resultData } from '#service/jobs/operation-of.ts'
import { etagOf } from '#service/kernel/stale.ts'
import type { OperationRow } from '#service/store/operations.ts'
import type { Database } from '#service/store/tables.ts'

export interface Answer {
  readonly status: number
  readonly data: unknown
  readonly isReplay?: boolean
  /** `Prefer: respond-async` was followed. */
  readonly isAsync?: boolean
}

export function successStatus(route: Route): number {
  return Number(Object.keys(route.answers).find((status) => status !== '202') ?? 200)
}

export async function recordAnswer(db: Database, row: OperationRow, status: number): Promise<Answer> {
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

/** The base address in the notation that was called; `/api/ai` knows no operations, so it points to `/v1`. */
function baseOf(path: string): string {
  return path.startsWith('/api/v1/') ? '/api/v1' : '/v1'
}
