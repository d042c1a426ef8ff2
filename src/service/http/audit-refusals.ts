import type { Context } from 'hono'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import { AppError, errorKinds } from '#contract/errors.ts'
import type { PurposeOfUse } from '#contract/model/audit-event.ts'
import { isStale } from '#service/access/facts.ts'
import { actionOf, agentOf } from '#service/access/call.ts'
import type { AuditEvent } from '#service/store/audit.ts'
import { appendAudit } from '#service/store/audit.ts'
import { Busy, inPractice } from '#service/store/in-practice.ts'
import type { Database } from '#service/store/tables.ts'
import type { Ledger } from './quota.ts'
import { countsAsFailed, QuotaExceeded } from './quota.ts'
import type { LetInAgain } from './authentication.ts'
import type { Env, Guard } from './request.ts'

/** Audits refused and failed calls before their answer is sent. A successful call does so in its own transaction. */
export function audit(
  operation: string,
  route: Route,
  { db, clock }: { db: Database; clock: Clock },
  ledger: Ledger,
  letInAgain: LetInAgain,
): Guard {
  return async (c, next) => {
    await next()
    if (c.error === undefined) return
    // Not audited: the entry would have to wait for the same lock that the call could not get.
    if (c.error instanceof Busy) return
    const caller = c.get('caller')
    const error = await asSeenNow(c, c.error)
    // Record only a valid id: other input could contain anything.
    const params = route.params?.safeParse(c.req.param())
    const { id } = (params?.data ?? {}) as { readonly id?: string }
    const event: AuditEvent = {
      recorded: timestamp(clock),
      operation,
      action: actionOf(route),
      outcome: error instanceof AppError ? `${errorKinds[error.code].status} ${error.code}` : '500 internal',
      agent: agentOf(caller),
      source: caller.source,
      entities: id === undefined ? [] : [id],
      consent: null,
      purpose: (c.get('purpose') as PurposeOfUse | undefined) ?? null,
      request_id: c.get('request_id'),
    }
    const isCounted = c.get('quota') === undefined && countsAsFailed(route, error)
    try {
      await inPractice(db, caller.practice_id, async (write) => {
        if (isCounted) c.set('quota', await ledger.enter(write, route, caller))
        await appendAudit(write, caller.practice_id, event)
      })
      if (isCounted) ledger.stands(caller)
    } catch (failure) {
      if (!(failure instanceof QuotaExceeded)) throw failure
      // The failed call also exceeds the quota, so answer with the quota error.
      const refused = { ...event, outcome: '429 quota-exceeded' }
      await inPractice(db, caller.practice_id, (write) => appendAudit(write, caller.practice_id, refused))
      throw failure
    }
    if (error !== c.error) throw error
  }

  /** If the caller has lost access, returns that refusal instead of the original error. */
  async function asSeenNow(c: Context<Env>, error: Error): Promise<Error> {
    if (!(await isStale(db, c.get('caller')))) return error
    try {
      await letInAgain(c)
      return error
    } catch (refusal) {
      return refusal as Error
    }
  }
}
