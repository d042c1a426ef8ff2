import { AppError } from '#contract/errors.ts'
import type { ApiKey } from '#contract/model/api-key.ts'
import type { Operation } from '#contract/model/operation.ts'
import type { ScheduleAnswer } from '#contract/model/schedule.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import type { Call } from './call.ts'
import type { ConsentPolicy } from './consent.ts'
import type { RecordKind, KeyScope } from '#service/store/idempotency.ts'
import { getOperation } from '#service/store/operations.ts'
import type { Database } from '#service/store/tables.ts'
import { scopeFor } from './facts.ts'
import { limited } from './limited-fields.ts'
import type { LimitedKind } from './limited-fields.ts'
import type { ReachedTable } from './reach.ts'
import { requireReach } from './reach.ts'
import { reachesKey } from './api-key.ts'
import { requireResult, resultSeen } from './reach-operation.ts'
import { createHash } from 'node:crypto'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { Caller } from '#service/kernel/caller.ts'

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

/** Filters a replay to what the caller may read now. @throws AppError `not-found`, `forbidden`, `consent-missing` */
export async function replayedTo(
  db: Database,
  call: Call,
  policy: ConsentPolicy,
  { kind, id, answer: { data } }: Found,
): Promise<unknown> {
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

/** Refuses like the original call: 403 for a creation, 404 for a rotation. */
function requireKey({ caller, params }: Call, key: ApiKey): void {
  // Uses the write route: permission to read all keys is not enough.
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

/** Visible ASCII (draft-ietf-httpapi-idempotency-key-header). */
const keyPattern = /^[\x21-\x7e]{1,255}$/

export function keyScopeOf(header: string | undefined, caller: Caller): KeyScope | null {
  if (header === undefined) return null
  if (!keyPattern.test(header)) throw new AppError('bad-request', 'Idempotency-Key must be 1 to 255 visible characters.')
  return { practice: caller.practice_id, person: caller.person_id, key: header }
}

/** Ignores white space and member order of the body. */
export function requestHash(operation: string, params: unknown, body: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([operation, params ?? null, body ?? null]))
    .digest('hex')
}
