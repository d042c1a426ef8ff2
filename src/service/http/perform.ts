import type { Context } from 'hono'
import { timestamp } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Answer } from './answer.ts'
import { answerResponse, operationAnswer } from './answer.ts'
import { asOfNow, isStale } from '#service/access/current.ts'
import { requireResult } from '#service/access/reach-operation.ts'
import type { Waiting } from './carry-out.ts'
import { inOneTransaction } from './carry-out.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import type { Ledger } from './ledger.ts'
import type { LetInAgain } from './role-reach.ts'
import type { Env } from './variables.ts'
import type { Call, Handler } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import { readOut, readsBeside } from './read-out.ts'
import { resultOf } from './replay.ts'
import type { Request } from './request.ts'
import { callOf, requestOf } from './request.ts'
import { keepStatus } from '#service/store/idempotency.ts'
import { getOperation } from '#service/store/operations.ts'
import { inPractice } from '#service/store/in-practice.ts'

/**
 * A call that passed the guards: found again by its idempotency key, or carried out with its key and its audit entry
 * in one transaction; long work is waited for a while.
 */
export function perform(
  operation: string,
  route: Route,
  handler: Handler,
  services: Services,
  ledger: Ledger,
  letInAgain: LetInAgain,
) {
  const { carryOut, look } = inOneTransaction(operation, route, handler, services, ledger)
  const answer = readsBeside(operation, route, services) ? readOut(operation, route, handler, services, ledger) : carryOut
  /** Keys of calls that are being prepared or carried out right now. */
  const running = new Set<string>()

  return async (c: Context<Env>): Promise<Response> => {
    const request = requestOf(c, operation, route, timestamp(services.clock))
    const { scope } = request
    const respond = async (reached: Answer | Waiting): Promise<Response> => {
      if (!('waiting' in reached)) return answerResponse(c.req.path, reached)
      const waited = await waitFor(reached.waiting, request, route, services, () => callNow(c))
      const data = checkAnswer(operation, route, waited.status, waited.data, services)
      return answerResponse(c.req.path, { ...waited, data })
    }
    if (scope === null) return respond(await reach(c, request))
    const name = `${scope.practice} ${scope.person} ${scope.key}`
    if (running.has(name)) throw new AppError('still-running')
    running.add(name)
    let done: Answer | Waiting
    try {
      done = await reach(c, request)
    } finally {
      running.delete(name)
    }
    return respond(done)
  }

  /** Whoever waited for long may since be let in no more, or reach less. */
  async function callNow(c: Context<Env>): Promise<Call> {
    const caller = c.get('caller')
    const isRemembered = caller.authority_version !== undefined
    if (caller.source !== 'embedded' && (!isRemembered || (await isStale(services.db, caller)))) await letInAgain(c)
    return callOf(c, timestamp(services.clock))
  }

  /** Up to the commit: what is done is never done again, whoever may what meanwhile. */
  async function reach(c: Context<Env>, request: Request): Promise<Answer | Waiting> {
    const done = await asOfNow(
      services.db,
      () => c.get('caller'),
      () => letInAgain(c),
      async (isAgain) => {
        const asked = isAgain ? requestOf(c, operation, route, timestamp(services.clock)) : request
        return (await look(asked)) ?? (await answer(c, asked))
      },
    )
    if ('refusal' in done) throw done.refusal
    return done
  }
}

async function waitFor(
  id: string,
  { call, scope, isAsync }: Request,
  route: Route,
  { db, jobs, waitMs }: Services,
  callNow: () => Promise<Call>,
): Promise<Answer> {
  jobs.wake()
  if (isAsync)
    return inPractice(db, call.practice, async (read) => ({
      ...(await operationAnswer(read, await getOperation(read, call.practice, id))),
      isAsync,
    }))
  const isSettled = await jobs.settled(call.practice, id, waitMs)
  const asked = await callNow()
  // From now on a replay is answered with the operation, as this call is.
  return inPractice(db, call.practice, async (write) => {
    if (!isSettled && scope !== null) await keepStatus(write, scope, 202)
    const row = await getOperation(write, call.practice, id)
    await requireResult(write, asked, row)
    return isSettled ? resultOf(write, route, row) : operationAnswer(write, row)
  })
}
