import type { Context } from 'hono'
import type { Route } from '#contract/rest/route.ts'
import type { Answer } from './answer.ts'
import { recorder } from '#service/access/audit-event.ts'
import { requireCurrent } from '#service/access/current.ts'
import { plain } from './carry-out.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import type { Ledger } from './ledger.ts'
import type { QuotaState } from './quota.ts'
import type { Env } from './variables.ts'
import type { Handler } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import type { Request } from './request.ts'
import { inPractice, looksBeside, lookInPractice } from '#service/store/in-practice.ts'
import type { Write } from '#service/store/tables.ts'

/** Whether a call only reads, and can do so without waiting for what is being written. */
export const readsBeside = (operation: string, { method }: Route, { db }: Services): boolean =>
  method === 'GET' && plain.has(operation) && looksBeside(db)

/**
 * What only reads is read beside the line of changes, and takes its place there with its count and its audit entry
 * alone. Whoever may no more by then hears nothing of it.
 */
export function readOut(operation: string, route: Route, handler: Handler, services: Services, ledger: Ledger) {
  const { db } = services
  const record = recorder(operation, route, services.clock)
  return async (c: Context<Env>, { call }: Request): Promise<Answer> => {
    ledger.requireRoom(route, call.caller)
    const reply = await lookInPractice(db, call.practice, await handler(call))
    if (!('status' in reply)) throw new Error('reading starts nothing and undoes nothing')
    const answer = { status: reply.status, data: checkAnswer(operation, route, reply.status, reply.data, services) }
    const enter = async (write: Write): Promise<QuotaState | undefined> => {
      await requireCurrent(write, call.caller)
      const counted = await ledger.enter(write, route, call.caller)
      await record(write, call, String(reply.status), reply)
      return counted
    }
    c.set('quota', await inPractice(db, call.practice, enter, true))
    ledger.stands(call.caller)
    return answer
  }
}
