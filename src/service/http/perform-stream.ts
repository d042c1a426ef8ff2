import type { Context } from 'hono'
import { timestamp } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Authenticate } from './authentication.ts'
import type { Env } from './variables.ts'
import type { Connection, StreamHandler } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import { auditEvent } from '#service/access/audit-event.ts'
import { callOf } from './request.ts'
import { appendAudit } from '#service/store/audit.ts'
import { inPractice } from '#service/store/in-practice.ts'
import type { Write } from '#service/store/tables.ts'

/** A call that passed the guards and answers as it goes. It is on record before its answer leaves. */
export function performStream(
  operation: string,
  route: Route,
  handler: StreamHandler,
  { db, clock }: Services,
  authenticate: Authenticate,
) {
  return async (c: Context<Env>): Promise<Response> => {
    const call = callOf(c, timestamp(clock))
    let isRecorded = false
    const record = async (write: Write, status: number, touched: readonly string[]): Promise<void> => {
      await appendAudit(write, call.practice, auditEvent(operation, route, call, timestamp(clock), String(status), { touched }))
      isRecorded = true
    }
    const connection: Connection = {
      request: c.req.raw,
      record,
      recheck: async () => ({ ...(await authenticate(c.req.raw, true)), source: call.caller.source }),
    }
    const response = await handler(call, connection)
    if (!isRecorded) {
      const { id } = (call.params ?? {}) as { id?: string }
      try {
        await inPractice(db, call.practice, (write) => record(write, response.status, id === undefined ? [] : [id]))
      } catch (error) {
        await response.body?.cancel()
        throw error
      }
    }
    if (c.req.raw.method !== 'HEAD') return response
    // Nobody will read on.
    await response.body?.cancel()
    return new Response(null, response)
  }
}
