import type { AppError } from '#contract/errors.ts'
import type { PurposeOfUse } from '#contract/model/purpose.ts'
import type { OperationId, RouteAnswer, RouteBody, RouteParams, RouteQuery, routes } from '#contract/rest/routes.ts'
import type { Scope } from './scope.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { RecordKind } from '#service/store/idempotency.ts'
import type { Write } from '#service/store/tables.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import { appendAudit } from '#service/store/audit.ts'
import type { AuditEvent } from '#service/store/audit.ts'

/** One call, let through by every guard. */
export interface Call<Id extends OperationId = OperationId> {
  readonly params: RouteParams<Id>
  readonly query: RouteQuery<Id>
  readonly body: RouteBody<Id>
  readonly caller: Caller
  readonly practice: string
  /** How far the caller reaches in this operation. */
  readonly scope: Scope
  /** `Purpose-Of-Use`: what this is read for, where it was said. */
  readonly purpose: PurposeOfUse | null
  readonly requestId: string
  readonly ifMatch: string | null
  /** One moment for everything this call writes. */
  readonly now: string
}

/** What the audit entry says beyond who and when. */
interface Audited {
  /** Ids of the records touched. */
  readonly touched: readonly string[]
  readonly consent?: 'checked' | 'asserted'
}

export interface Reply<Data = unknown> extends Audited {
  readonly status: number
  readonly data: Data
  /** What a replay is rebuilt from. */
  readonly record?: { readonly kind: RecordKind; readonly id: string; readonly version: number }
}

/** Long work was queued; the answer comes when it is done, or a 202 before. */
export interface Started extends Audited {
  readonly operation: string
}

/** Answered as this failure, which is recorded like any other; what was written along with it stays. */
export interface Refused {
  readonly refusal: AppError
}

/** Runs in one transaction with the idempotency key and the audit entry. Waits for nothing but the database. */
export type Effect<Data = unknown> = (db: Write) => Promise<Reply<Data> | Started | Refused>

/** What needs no transaction, or must not hold one, is done before the effect is handed back. */
export type Handler<Id extends OperationId = OperationId> = (
  call: Call<Id>,
) => Effect<RouteAnswer<Id>> | Promise<Effect<RouteAnswer<Id>>>

/** What a handler of a stream has beyond the call itself. */
export interface Connection {
  readonly request: Request
  /** The audit entry, in the transaction of the change where there is one; made at the end where it was not made before. */
  record(write: Write, status: number, touched: readonly string[]): Promise<void>
  /**
   * Whoever began it, as they are let in now.
   *
   * @throws AppError `unauthenticated`
   */
  recheck(): Promise<Caller>
}

/** Answers as it goes, outside of any transaction: takes bytes as they come, tells of events as they happen. */
export type StreamHandler<Id extends OperationId = OperationId> = (call: Call<Id>, connection: Connection) => Promise<Response>

type IsStream<Id extends OperationId> = (typeof routes)[Id] extends { readonly stream: 'in' | 'out' } ? true : false
export type Handlers = { readonly [Id in OperationId]: IsStream<Id> extends true ? StreamHandler<Id> : Handler<Id> }
export type HandlersOf<Ids extends OperationId> = Pick<Handlers, Ids>

const actions = { GET: 'R', POST: 'C', PUT: 'U', PATCH: 'U', DELETE: 'D' } as const

export const actionOf = (route: Route): AuditEvent['action'] => (route.longRunning ? 'E' : actions[route.method])

export const agentOf = (caller: Caller): AuditEvent['agent'] => ({
  person: caller.person_id,
  key: caller.key_id,
  roles: caller.roles,
})

/** What long work keeps of who asked for it and why, for the audit of what comes of it. */
export const askedBy = ({ caller, requestId, purpose }: Call, consent: AuditEvent['consent']): string =>
  JSON.stringify({ agent: agentOf(caller), source: caller.source, request_id: requestId, consent, purpose } satisfies Asked)

export type Asked = Pick<AuditEvent, 'agent' | 'source' | 'request_id' | 'consent' | 'purpose'>

type Done = Pick<Reply, 'touched' | 'consent'>

/** Adds what came of a call to the practice's chain. */
type Record = (write: Write, call: Call, outcome: string, done: Done) => Promise<void>

export function recorder(operation: string, route: Route, clock: Clock): Record {
  return (write, call, outcome, done) =>
    appendAudit(write, call.practice, auditEvent(operation, route, call, timestamp(clock), outcome, done))
}

export function auditEvent(
  operation: string,
  route: Route,
  { caller, requestId, purpose }: Call,
  recorded: string,
  outcome: string,
  { touched, consent }: Done,
): AuditEvent {
  return {
    recorded,
    operation,
    action: actionOf(route),
    outcome,
    agent: agentOf(caller),
    source: caller.source,
    entities: touched,
    consent: consent ?? null,
    purpose,
    request_id: requestId,
  }
}
