import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { Call, Reply } from './call.ts'
import { appendAudit } from '#service/store/audit.ts'
import type { AuditEvent } from '#service/store/audit.ts'
import type { Write } from '#service/store/tables.ts'

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
export type Record = (write: Write, call: Call, outcome: string, done: Done) => Promise<void>

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
