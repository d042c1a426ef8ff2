import type { Context } from 'hono'
import { timestamp } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import type { Answer } from './answer.ts'
import { answerResponse, operationAnswer } from './answer.ts'
import { asOfNow, isStale, requireCurrent } from './authority/current.ts'
import { requireResult } from './authority/reach-operation.ts'
import { replayedTo } from './authority/replays.ts'
import { actionOf, agentOf } from './guards/audit.ts'
import { checkAnswer } from './guards/answer-check.ts'
import { keyScopeOf, requestHash } from './guards/idempotency.ts'
import type { Ledger } from './guards/ledger.ts'
import type { QuotaState } from './guards/quota.ts'
import type { LetInAgain } from './guards/role-reach.ts'
import type { Env } from './guards/variables.ts'
import type { Call, Handler, Refused, Reply, Services, Started } from './handler.ts'
import { replayed, resultOf, stillWaiting } from './replay.ts'
import { appendAudit } from './store/audit.ts'
import type { AuditEvent } from './store/audit.ts'
import type { KeptReply, KeyScope } from './store/idempotency.ts'
import { findKept, keepReply, keepStatus } from './store/idempotency.ts'
import { getOperation } from './store/operations.ts'
import { inPractice, lookInPractice } from './store/in-practice.ts'
import type { Write } from './store/tables.ts'

/** Operations that do nothing before their transaction, so that nothing need be looked at before it. */
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
  // Drafts by rule, which leaves no trace.
  'generateNoteFromData',
])

/** A call as far as its being done once is concerned. */
interface Request {
  readonly call: Call
  readonly scope: KeyScope | null
  readonly hash: string
  /** `Prefer: respond-async`. */
  readonly isAsync: boolean
}

interface Waiting {
  readonly waiting: string
}

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
  /** Keys of calls that are being prepared or carried out right now. */
  const running = new Set<string>()

  return async (c: Context<Env>): Promise<Response> => {
    const request = requestOf(c, operation, route, timestamp(services.clock))
    const { scope } = request
    const respond = async (reached: Answer | Waiting): Promise<Response> => {
      if (!('waiting' in reached)) return answerResponse(c.req.path, reached)
      const answer = await waitFor(reached.waiting, request, route, services, () => callNow(c))
      const data = checkAnswer(operation, route, answer.status, answer.data, services)
      return answerResponse(c.req.path, { ...answer, data })
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
        return (await look(asked)) ?? (await carryOut(c, asked))
      },
    )
    if ('refusal' in done) throw done.refusal
    return done
  }
}

function inOneTransaction(operation: string, route: Route, handler: Handler, services: Services, ledger: Ledger) {
  const { db, clock } = services
  const isPlain = plain.has(operation)
  return { carryOut, look }

  async function carryOut(c: Context<Env>, { call, scope, hash, isAsync }: Request): Promise<Answer | Waiting | Refused> {
    // Not looked for yet, it may have been counted when it was done; the count itself decides.
    if (!isPlain || scope === null) ledger.requireRoom(route, call.caller)
    const effect = await handler(call)
    let quota: QuotaState | undefined
    const carriedOut = async (write: Write): Promise<Answer | Waiting | Refused> => {
      quota = undefined
      await requireCurrent(write, call.caller)
      // Another process may have carried it out since it was looked for.
      const before = scope === null ? null : await findReplayIn(write, call, scope, hash)
      if (before !== null) return before
      quota = await ledger.enter(write, route, call.caller)
      const reply = await effect(write)
      if ('refusal' in reply) return reply
      const kept = keptOf(reply, hash, isAsync)
      if (scope !== null && kept !== null) await keepReply(write, scope, kept, clock.now())
      await record(write, call, 'operation' in reply ? '202' : String(reply.status), reply)
      if ('operation' in reply) return { waiting: reply.operation }
      // Within the transaction: an answer that cannot be given has no effect either.
      return { status: reply.status, data: checkAnswer(operation, route, reply.status, reply.data, services) }
    }
    const done = await inPractice(db, call.practice, carriedOut)
    c.set('quota', quota)
    return done
  }

  /**
   * Before anything is done outside of the transaction: whether the caller may still, and whether it was done before.
   * Nearly always it is the first call of its key; whether it is, is made certain where it is carried out.
   */
  async function look({ call, scope, hash }: Request): Promise<Answer | null> {
    if (isPlain) return null
    const known = await lookInPractice(db, call.practice, async (read) => {
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

  function record(write: Write, call: Call, outcome: string, done: Pick<Reply, 'touched' | 'consent'>): Promise<void> {
    return appendAudit(write, call.practice, auditEvent(operation, route, call, timestamp(clock), outcome, done))
  }
}

export function auditEvent(
  operation: string,
  route: Route,
  { caller, requestId, purpose }: Call,
  recorded: string,
  outcome: string,
  { touched, consent }: Pick<Reply, 'touched' | 'consent'>,
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

function keptOf(reply: Reply | Started, hash: string, isAsync: boolean): KeptReply | null {
  if ('operation' in reply) {
    const status = isAsync ? 202 : stillWaiting
    return { request_hash: hash, status, record_kind: 'operation', record_id: reply.operation, record_version: 1 }
  }
  if (!reply.record) return null
  const { kind, id, version } = reply.record
  return { request_hash: hash, status: reply.status, record_kind: kind, record_id: id, record_version: version }
}
