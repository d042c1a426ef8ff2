import { createHash } from 'node:crypto'
import { AppError, type ErrorCode, isErrorCode } from '#contract/errors.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { ApiKey } from '#contract/model/api-key.ts'
import type { Operation } from '#contract/model/operation.ts'
import type { ScheduleAnswer } from '#contract/model/schedule.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { etagOf, NotFound } from '#service/kernel/problem.ts'
import { loadRecord, operationOf, resultData } from '#service/store/any-record.ts'
import { findKept, type KeptReply, type KeyScope, type RecordKind, releaseKey } from '#service/store/idempotency.ts'
import { askerOf, getOperation, isOver, type OperationRow } from '#service/store/operations.ts'
import type { Database, Write } from '#service/store/tables.ts'
import { reachesKey } from './api-key.ts'
import { type Scope, scopeFor } from './authorization.ts'
import type { Call } from './call.ts'
import { type ConsentPolicy, readableAnalysis } from './consent.ts'
import { limited, type LimitedKind } from './limited-fields.ts'
import { idsWithin, type ReachedTable, requireReach } from './reach.ts'

const keyPattern = /^[\x21-\x7e]{1,255}$/

export function keyScopeOf(header: string | undefined, caller: Caller): KeyScope | null {
  if (header === undefined) return null
  if (!keyPattern.test(header)) throw new AppError('bad-request', 'Idempotency-Key must be 1 to 255 visible characters.')
  return { practice: caller.practice_id, person: caller.person_id, key: header }
}

export function requestHash(operation: string, params: unknown, body: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([operation, params ?? null, body ?? null]))
    .digest('hex')
}

export const STILL_WAITING = 0

export class RefusedReplay extends AppError {
  constructor({ code, detail, fields }: AppError) {
    super(code, detail, fields)
  }
}

const endings: ReadonlySet<ErrorCode> = new Set(['idempotency-mismatch', 'gone', 'cancelled'])

export async function replayed(...asked: Parameters<typeof foundAgain>): ReturnType<typeof foundAgain> {
  try {
    return await foundAgain(...asked)
  } catch (error) {
    throw error instanceof AppError && endings.has(error.code) ? new RefusedReplay(error) : error
  }
}

async function foundAgain(write: Write, route: Route, scope: KeyScope, hash: string, now: number) {
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
    // Release the idempotency key, so that the caller can retry the failed operation with the same key.
    await releaseKey(write, scope)
    return null
  }
  if (kept.status !== STILL_WAITING) return operationAnswer(write, row)
  if (!isOver(row.status)) throw new AppError('still-running')
  return resultOf(write, route, row)
}

export async function resultOf(db: Database, route: Route, row: OperationRow): Promise<Answer> {
  if (row.status === 'cancelled') throw new AppError('cancelled')
  if (row.status !== 'succeeded')
    throw new AppError(isErrorCode(row.error_code) ? row.error_code : 'internal', row.error_detail ?? undefined)
  const data = await resultData(db, row)
  if (data === null) throw new AppError('gone')
  return { status: Number(Object.keys(route.answers).find((status) => status !== '202') ?? 200), data }
}

export interface Answer {
  readonly status: number
  readonly data: unknown
  readonly isReplay?: boolean
  readonly isAsync?: boolean
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

/** Base path of the operations route. That route has no address under `/api/ai`, so calls there get `/v1`. */
function baseOf(path: string): string {
  return path.startsWith('/api/v1/') ? '/api/v1' : '/v1'
}

const reads: Partial<Record<RecordKind, { route: Route; table: ReachedTable; kind?: LimitedKind }>> = {
  client: { route: routes.getClient, table: 'clients', kind: 'client' },
  session: { route: routes.getSession, table: 'sessions', kind: 'session' },
  note: { route: routes.getNote, table: 'notes', kind: 'note' },
  consent: { route: routes.listConsents, table: 'consents' },
  transcript: { route: routes.getTranscript, table: 'transcripts' },
  analysis: { route: routes.getAnalysis, table: 'analyses' },
  coverage: { route: routes.getCoverage, table: 'coverages' },
  authorisation: { route: routes.getAuthorisation, table: 'authorisations' },
}

interface Found {
  readonly kind: RecordKind
  readonly id: string
  readonly answer: { readonly data: unknown }
}

/** Limits a replayed answer to what the caller may read now. Some kinds of records, such as uploads, are not checked. */
export async function replayedTo(db: Database, call: Call, policy: ConsentPolicy, { kind, id, answer: { data } }: Found) {
  if (kind === 'operation') return operationSeen(db, call, policy, id, data)
  if (kind === 'api-key') requireKey(call, data as ApiKey)
  if (kind === 'booking') await requireBooked(db, call, data as ScheduleAnswer)
  const read = reads[kind]
  if (read === undefined) return data
  const { caller, practice, now } = call
  const scope = await scopeFor(db, caller, read.route, call.purpose, now)
  await requireReach(db, { practice, scope }, read.table, id)
  return read.kind === undefined ? data : limited(db, { practice, scope }, read.kind, data)
}

function requireKey({ caller, params }: Call, key: ApiKey): void {
  const [route, code] =
    params === undefined ? [routes.createApiKey, 'forbidden' as const] : [routes.rotateApiKey, 'not-found' as const]
  if (!reachesKey(caller, route, key)) throw new AppError(code)
}

async function operationSeen(db: Database, call: Call, policy: ConsentPolicy, id: string, data: unknown): Promise<unknown> {
  const row = await getOperation(db, call.practice, id)
  await requireResult(db, call, row)
  const operation = data as Operation
  if (operation.id !== id) return resultSeen(db, call, policy, row, data)
  return { ...operation, result: await resultSeen(db, call, policy, row, operation.result) }
}

async function requireBooked(db: Database, { caller, practice, purpose, now }: Call, { appointments, moved }: ScheduleAnswer) {
  const scope = await scopeFor(db, caller, routes.getSession, purpose, now)
  for (const { id } of [...(appointments ?? []), ...(moved ?? [])]) await requireReach(db, { practice, scope }, 'sessions', id)
}

const results: Readonly<Record<string, { route: Route; table: ReachedTable }>> = {
  transcript: { route: routes.getTranscript, table: 'transcripts' },
  note: { route: routes.getNote, table: 'notes' },
  analysis: { route: routes.getAnalysis, table: 'analyses' },
  coverage: { route: routes.getCoverage, table: 'coverages' },
}

type Reader = Pick<Call, 'practice' | 'caller' | 'purpose' | 'now'>

/**
 * If an operation's result has client data, only readers of the result may see the operation; otherwise its requester and readers
 * of its session may.
 */
export async function operationFor(db: Database, call: Call<'getOperation'> | Call<'cancelOperation'> | Call<'followOperation'>) {
  const row = await getOperation(db, call.practice, call.params.id)
  if (await requireResult(db, call, row)) return row
  if (askerOf(row) !== call.caller.person_id && !(await reachesSession(db, call, row))) throw new NotFound(row.id)
  return row
}

export async function requireResult(db: Database, call: Reader, row: OperationRow): Promise<boolean> {
  const read = row.result_kind === null ? undefined : results[row.result_kind]
  if (read === undefined || row.result_id === null) return false
  const scope = wholeIn(await scopeFor(db, call.caller, read.route, call.purpose, call.now))
  await requireReach(db, { practice: call.practice, scope }, read.table, row.result_id)
  return true
}

/** Results are not filtered by field, so records that the caller sees only with limited fields are not accessible. */
const wholeIn = (scope: Scope): Scope => (scope.limited === null ? scope : { ...scope, ...scope.limited.whole, limited: null })

export async function resultSeen(
  db: Database,
  call: Pick<Call, 'practice' | 'scope'>,
  policy: ConsentPolicy,
  { result_kind }: OperationRow,
  result: unknown,
): Promise<unknown> {
  if (result_kind !== 'analysis' || result === null) return result
  const seen = await readableAnalysis(db, call, policy, result as Analysis)
  if (seen === null) throw new AppError('consent-missing')
  return seen
}

async function reachesSession(db: Database, { practice, scope }: Pick<Call, 'practice' | 'scope'>, row: OperationRow) {
  const { session_id } = JSON.parse(row.payload ?? '{}') as { session_id?: string | null }
  return typeof session_id === 'string' && (await idsWithin(db, practice, scope, 'sessions', [session_id])).has(session_id)
}
