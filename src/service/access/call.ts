import type { AppError } from '#contract/errors.ts'
import type { PurposeOfUse } from '#contract/model/audit-event.ts'
import type { OperationId, RouteAnswer, RouteBody, RouteParams, RouteQuery, routes } from '#contract/rest/routes.ts'
import type { Scope } from './authorization.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { RecordKind } from '#service/store/idempotency.ts'
import type { Write } from '#service/store/tables.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Route } from '#contract/rest/route.ts'
import { appendAudit, type AuditEvent } from '#service/store/audit.ts'
import { insertOperation, type OperationKind } from '#service/store/operations.ts'

export interface Call<Id extends OperationId = OperationId> {
  readonly params: RouteParams<Id>
  readonly query: RouteQuery<Id>
  readonly body: RouteBody<Id>
  readonly caller: Caller
  readonly practice: string
  readonly scope: Scope
  readonly purpose: PurposeOfUse | null
  readonly requestId: string
  readonly ifMatch: string | null
  readonly now: string
}

interface Audited {
  readonly touched: readonly string[]
  readonly consent?: 'checked' | 'asserted'
}

export interface Reply<Data = unknown> extends Audited {
  readonly status: number
  readonly data: Data
  readonly record?: { readonly kind: RecordKind; readonly id: string; readonly version: number }
  readonly afterCommit?: () => void
}

export interface Started extends Audited {
  readonly operation: string
}

type WithId = { readonly id: string }

export const foundReply = <Data extends WithId>(data: Data): Reply<Data> => ({ status: 200, data, touched: [data.id] })

export const pageReply = <Data extends { readonly data: readonly WithId[] }>(page: Data): Reply<Data> => ({
  status: 200,
  data: page,
  touched: page.data.map(({ id }) => id),
})

export const putReply = <Data extends WithId & { readonly version: number }>(data: Data): Reply<Data> => ({
  status: data.version === 1 ? 201 : 200,
  data,
  touched: [data.id],
})

/** The call answers with this error, but everything the effect wrote is committed. */
export interface Refused {
  readonly refusal: AppError
}

/** Runs in the transaction that stores the idempotency key and the audit entry. On some GET routes, it runs in a snapshot. */
export type Effect<Data = unknown> = (db: Write) => Promise<Reply<Data> | Started | Refused>

export type Handler<Id extends OperationId = OperationId> = (
  call: Call<Id>,
) => Effect<RouteAnswer<Id>> | Promise<Effect<RouteAnswer<Id>>>

export interface Connection {
  readonly request: Request
  /** Writes the audit entry. If the handler returns without calling this, the request pipeline writes it. */
  record(write: Write, status: number, touched: readonly string[]): Promise<void>
  recheck(): Promise<Caller>
}

export type StreamHandler<Id extends OperationId = OperationId> = (call: Call<Id>, connection: Connection) => Promise<Response>

type IsStream<Id extends OperationId> = (typeof routes)[Id] extends { readonly stream: 'in' | 'out' } ? true : false
export type Handlers = { readonly [Id in OperationId]: IsStream<Id> extends true ? StreamHandler<Id> : Handler<Id> }
export type HandlersOf<Ids extends OperationId> = Pick<Handlers, Ids>

interface Queued {
  readonly kind: OperationKind
  readonly route: OperationId
  readonly payload: string
  readonly consent: AuditEvent['consent']
  readonly text?: string | null | undefined
}

export async function queueOperation(write: Write, clock: Clock, call: Call, queued: Queued): Promise<string> {
  const { consent, text = null, ...operation } = queued
  const id = newId(clock)
  await insertOperation(write, { ...operation, id, practice_id: call.practice, agent: askedBy(call, consent) }, call.now, text)
  return id
}

const actions = { GET: 'R', POST: 'C', PUT: 'U', PATCH: 'U', DELETE: 'D' } as const

const actionOf = (route: Route): AuditEvent['action'] => (route.longRunning ? 'E' : actions[route.method])

export const agentOf = (caller: Caller): AuditEvent['agent'] => ({
  person: caller.person_id,
  key: caller.key_id,
  roles: caller.roles,
})

const askedBy = ({ caller, requestId, purpose }: Call, consent: AuditEvent['consent']): string =>
  JSON.stringify({ agent: agentOf(caller), source: caller.source, request_id: requestId, consent, purpose } satisfies Asked)

export type Asked = Pick<AuditEvent, 'agent' | 'source' | 'request_id' | 'consent' | 'purpose'>

type Done = Pick<Reply, 'touched' | 'consent'>

type Record = (write: Write, call: Call, outcome: string, done: Done) => Promise<void>

export function recorder(operation: string, route: Route, clock: Clock): Record {
  return (write, call, outcome, done) =>
    appendAudit(write, call.practice, auditEvent(operation, route, call, timestamp(clock), outcome, done))
}

export function auditEvent(
  operation: string,
  route: Route,
  { caller, requestId, purpose }: Pick<Call, 'caller' | 'requestId' | 'purpose'>,
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
