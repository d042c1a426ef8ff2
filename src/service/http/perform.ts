import type { Context } from 'hono'
import { timestamp } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { asOfNow, isStale, requireCurrent } from '#service/access/authorization.ts'
import { type Call, type Handler, recorder, type Refused, type Reply, type Started } from '#service/access/call.ts'
import { type Answer, answerResponse, keyScopeOf, operationAnswer, requireResult } from '#service/access/replays.ts'
import { replayed, replayedTo, requestHash, resultOf, STILL_WAITING } from '#service/access/replays.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import type { Services } from '#service/routes/services.ts'
import { RetryPessimistic } from '#service/store/batches.ts'
import { findKept, keepReply, keepStatus, type KeptReply, type KeyScope } from '#service/store/idempotency.ts'
import { hasSnapshotReads, inPractice, readSnapshot } from '#service/store/in-practice.ts'
import { getOperation } from '#service/store/operations.ts'
import type { Write } from '#service/store/tables.ts'
import type { LetInAgain } from './admission.ts'
import type { Ledger, QuotaState } from './quota.ts'
import type { Env } from './request.ts'

interface Request {
  readonly call: Call
  readonly scope: KeyScope | null
  readonly hash: string
  readonly isAsync: boolean
}

export function callOf(c: Context<Env>, now: string): Call {
  const { params, query, body } = c.get('input')
  const caller = c.get('caller')
  const ifMatch = c.req.header('if-match') ?? null
  const authority = { caller, practice: caller.practice_id, scope: c.get('scope'), purpose: c.get('purpose') }
  return { params, query, body, ...authority, requestId: c.get('request_id'), ifMatch, now } as Call
}

function requestOf(c: Context<Env>, operation: string, route: Route, now: string): Request {
  const { params, raw } = c.get('input')
  const call = callOf(c, now)
  const { caller } = call
  const scope = route.method === 'POST' ? keyScopeOf(c.req.header('idempotency-key'), caller) : null
  // RFC 7240: preferences are separated by commas and may have parameters.
  const preferences = (c.req.header('prefer') ?? '')
    .split(',')
    .map((preference) => preference.split(';')[0]?.trim().toLowerCase())
  const isAsync = route.longRunning === true && preferences.includes('respond-async')
  return { call, scope, hash: scope === null ? '' : requestHash(operation, params, raw), isAsync }
}

/** Operations without effects outside their transaction. They can run optimistically, and their transaction detects replays. */
const plain: ReadonlySet<string> = new Set<OperationId>([
  'listClients',
  'getClient',
  'createClient',
  'updateClient',
  'listSessions',
  'getSession',
  'createSession',
  'updateSession',
  'listConsents',
  'giveConsent',
  'revokeConsent',
  'listNotes',
  'getNote',
  'listTranscripts',
  'getTranscript',
  'generateNoteFromData',
])

interface Waiting {
  readonly waiting: string
}

function inOneTransaction(operation: string, route: Route, handler: Handler, services: Services, ledger: Ledger) {
  const { db, clock } = services
  const isPlain = plain.has(operation)
  const record = recorder(operation, route, clock)
  return { carryOut, look }

  async function carryOut(c: Context<Env>, { call, scope, hash, isAsync }: Request): Promise<Answer | Waiting | Refused> {
    // A `plain` call with an idempotency key may be a replay, which needs no quota, so only the transaction checks the quota.
    if (!isPlain || scope === null) ledger.requireRoom(route, call.caller)
    const effect = await handler(call)
    let quota: QuotaState | undefined
    let afterCommit: (() => void) | undefined
    const carriedOut = async (write: Write, isCareful: boolean): Promise<Answer | Waiting | Refused> => {
      quota = undefined
      afterCommit = undefined
      await requireCurrent(write, call.caller)
      // Look for a replay only on the pessimistic path: the optimistic path detects a replay when it inserts the key.
      const before = scope === null || !isCareful ? null : await findReplayIn(write, call, scope, hash)
      if (before !== null) return before
      quota = await ledger.enter(write, route, call.caller)
      const reply = await effect(write)
      const kept = 'refusal' in reply ? null : keptOf(reply, hash, isAsync)
      // Without a stored key, a replay would go undetected, so retry on the pessimistic path.
      if (scope !== null && kept === null && !isCareful) throw new RetryPessimistic()
      if ('refusal' in reply) return reply
      if (scope !== null && kept !== null) await keepReply(write, scope, kept, clock.now(), isCareful)
      await record(write, call, 'operation' in reply ? '202' : String(reply.status), reply)
      if ('operation' in reply) return { waiting: reply.operation }
      afterCommit = reply.afterCommit
      // Checked inside the transaction, so that an invalid answer rolls back the effect.
      return { status: reply.status, data: checkAnswer(operation, route, reply.status, reply.data, services) }
    }
    const done = await inPractice(db, call.practice, carriedOut, isPlain)
    afterCommit?.()
    c.set('quota', quota)
    if (quota !== undefined || !route.counted) ledger.stands(call.caller)
    return done
  }

  async function look({ call, scope, hash }: Request): Promise<Answer | null> {
    if (isPlain) return null
    const known = await readSnapshot(db, call.practice, async (read) => {
      await requireCurrent(read, call.caller)
      return scope === null ? null : findKept(read, scope, clock.now())
    })
    if (known === null || scope === null) return null
    return inPractice(db, call.practice, (write) => findReplayIn(write, call, scope, hash))
  }

  async function findReplayIn(write: Write, call: Call, scope: KeyScope, hash: string): Promise<Answer | null> {
    const found = await replayed(write, route, scope, hash, clock.now())
    if (found === null) return null
    const seen = await replayedTo(write, call, services.consentPolicy, found)
    const data = checkAnswer(operation, route, found.answer.status, seen, services)
    await record(write, call, `${found.answer.status} replayed`, { touched: [found.id] })
    return { ...found.answer, data }
  }
}

function keptOf(reply: Reply | Started, hash: string, isAsync: boolean): KeptReply | null {
  if ('operation' in reply) {
    const status = isAsync ? 202 : STILL_WAITING
    return { request_hash: hash, status, record_kind: 'operation', record_id: reply.operation, record_version: 1 }
  }
  if (!reply.record) return null
  const { kind, id, version } = reply.record
  return { request_hash: hash, status: reply.status, record_kind: kind, record_id: id, record_version: version }
}

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

  /** Reauthenticates a caller whose access may have changed during a long wait. */
  async function callNow(c: Context<Env>): Promise<Call> {
    const caller = c.get('caller')
    const isRemembered = caller.authority_version !== undefined
    if (caller.source !== 'embedded' && (!isRemembered || (await isStale(services.db, caller)))) await letInAgain(c)
    return callOf(c, timestamp(services.clock))
  }

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
  return inPractice(db, call.practice, async (write) => {
    if (!isSettled && scope !== null) await keepStatus(write, scope, 202)
    const row = await getOperation(write, call.practice, id)
    await requireResult(write, asked, row)
    return isSettled ? resultOf(write, route, row) : operationAnswer(write, row)
  })
}

const readsBeside = (operation: string, { method }: Route, { db }: Services): boolean =>
  method === 'GET' && plain.has(operation) && hasSnapshotReads(db)

/** A caller who loses access between the snapshot and the transaction gets no data. */
function readOut(operation: string, route: Route, handler: Handler, services: Services, ledger: Ledger) {
  const { db } = services
  const record = recorder(operation, route, services.clock)
  return async (c: Context<Env>, { call }: Request): Promise<Answer> => {
    ledger.requireRoom(route, call.caller)
    const reply = await readSnapshot(db, call.practice, await handler(call))
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
