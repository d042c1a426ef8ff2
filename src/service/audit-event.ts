import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import { actionOf, agentOf } from './guards/audit.ts'
import type { Call, Reply } from './handler.ts'
import { appendAudit } from './store/audit.ts'
import type { AuditEvent } from './store/audit.ts'
import type { Write } from './store/tables.ts'

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
