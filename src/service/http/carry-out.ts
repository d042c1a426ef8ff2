import type { Context } from 'hono'
import type { Route } from '#contract/rest/route.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import type { Answer } from './answer.ts'
import { recorder } from '#service/access/audit-event.ts'
import { requireCurrent } from '#service/access/current.ts'
import { replayedTo } from '#service/access/replays.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import type { Ledger } from './ledger.ts'
import type { QuotaState } from './quota.ts'
import type { Env } from './variables.ts'
import type { Call, Handler, Refused, Reply, Started } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import { replayed, stillWaiting } from './replay.ts'
import type { Request } from './request.ts'
import type { KeptReply, KeyScope } from '#service/store/idempotency.ts'
import { findKept, keepReply } from '#service/store/idempotency.ts'
import { inPractice, lookInPractice } from '#service/store/in-practice.ts'
import { CareNeeded } from '#service/store/shared-commit.ts'
import type { Write } from '#service/store/tables.ts'

/** Operations that do nothing but in their transaction: nothing need be looked at before it, and it may run again. */
export const plain: ReadonlySet<string> = new Set<OperationId>([
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

/** Long work was queued. */
export interface Waiting {
  readonly waiting: string
}

/** A call that passed the guards, in one transaction with its key, its count and its audit entry. */
export function inOneTransaction(operation: string, route: Route, handler: Handler, services: Services, ledger: Ledger) {
  const { db, clock } = services
  const isPlain = plain.has(operation)
  const record = recorder(operation, route, clock)
  return { carryOut, look }

  async function carryOut(c: Context<Env>, { call, scope, hash, isAsync }: Request): Promise<Answer | Waiting | Refused> {
    // Not looked for yet, it may have been counted when it was done; the count itself decides.
    if (!isPlain || scope === null) ledger.requireRoom(route, call.caller)
    const effect = await handler(call)
    let quota: QuotaState | undefined
    const carriedOut = async (write: Write, isCareful: boolean): Promise<Answer | Waiting | Refused> => {
      quota = undefined
      await requireCurrent(write, call.caller)
      // Another process may have carried it out since it was looked for. In haste the key itself says so, being there.
      const before = scope === null || !isCareful ? null : await findReplayIn(write, call, scope, hash)
      if (before !== null) return before
      quota = await ledger.enter(write, route, call.caller)
      const reply = await effect(write)
      const kept = 'refusal' in reply ? null : keptOf(reply, hash, isAsync)
      // What leaves no key behind does not meet the one of before.
      if (scope !== null && kept === null && !isCareful) throw new CareNeeded()
      if ('refusal' in reply) return reply
      if (scope !== null && kept !== null) await keepReply(write, scope, kept, clock.now(), isCareful)
      await record(write, call, 'operation' in reply ? '202' : String(reply.status), reply)
      if ('operation' in reply) return { waiting: reply.operation }
      // Within the transaction: an answer that cannot be given has no effect either.
      return { status: reply.status, data: checkAnswer(operation, route, reply.status, reply.data, services) }
    }
    const done = await inPractice(db, call.practice, carriedOut, isPlain)
    c.set('quota', quota)
    if (quota !== undefined || !route.counted) ledger.stands(call.caller)
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
