import { createSecretKey } from 'node:crypto'
import type { Context } from 'hono'
import { timestamp } from '#base/clock.ts'
import { AppError, errorKinds } from '#contract/errors.ts'
import { roles, type Route } from '#contract/rest/route.ts'
import { callerOfKey } from '#service/access/api-key.ts'
import { asOfNow, isStale, purposeOf, reachOf, scopeFor } from '#service/access/authorization.ts'
import { auditEvent } from '#service/access/call.ts'
import type { Refusals } from '#service/access/refusals.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { callerOfToken, type VerifyToken } from '#service/oauth/access-token.ts'
import type { Services } from '#service/routes/services.ts'
import { appendAudit } from '#service/store/audit.ts'
import { Busy, inPractice } from '#service/store/in-practice.ts'
import { countsAsFailed, type Ledger, QuotaExceeded } from './quota.ts'
import type { Env, Guard } from './request.ts'

/** `isFresh` bypasses the authorization cache; `from` is the remote address, for the rate limit. */
export type Authenticate = (request: Request, isFresh?: boolean, from?: string) => Promise<Caller>

export function authentication(route: Route, authenticate: Authenticate, refusals: Refusals): Guard {
  return async (c, next) => {
    await identify(c, authenticate, refusals, route.stream !== undefined)
    await next()
  }
}

async function identify(c: Context<Env>, authenticate: Authenticate, refusals: Refusals, isFresh: boolean): Promise<void> {
  const { from } = c.env
  try {
    const caller = await authenticate(c.req.raw, isFresh, from)
    c.set('caller', from === undefined ? caller : { ...caller, source: from })
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'unauthenticated'
    if (isRefused) refusals.refused(from, bearerToken(c.req.header('authorization') ?? null) === null ? 'none' : 'wrong')
    throw error
  }
}

type ReachParts = Pick<Services, 'db' | 'clock' | 'known' | 'refusals'>

interface Parts extends ReachParts {
  readonly pepper: Uint8Array
  readonly verifyToken: VerifyToken | null
}

export function bearerAuthentication({ verifyToken, pepper, refusals, ...rest }: Parts): Authenticate {
  const keys = { ...rest, pepper: createSecretKey(pepper) }
  return async (request, isFresh, from) => {
    const token = bearerToken(request.headers.get('authorization'))
    if (token === null) throw new AppError('unauthenticated')
    if (verifyToken === null || token.startsWith('aw_'))
      return callerOfKey({ ...keys, requireRoom: () => refusals.requireRoom(from) }, token, isFresh)
    return callerOfToken(keys.db, await verifyToken(token))
  }
}

export function bearerToken(header: string | null): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null
}

export type LetInAgain = (c: Context<Env>) => Promise<void>

export function roleReach(route: Route, parts: ReachParts, letInAgain: LetInAgain): Guard {
  return async (c, next) => {
    await asOfNow(
      parts.db,
      () => c.get('caller'),
      () => letInAgain(c),
      () => admit(c, route, parts),
    )
    await next()
  }
}

export function lettingInAgain(route: Route, authenticate: Authenticate, parts: ReachParts): LetInAgain {
  return async (c) => {
    await identify(c, authenticate, parts.refusals, true)
    await admit(c, route, parts)
  }
}

async function admit(c: Context<Env>, route: Route, { db, clock, known }: ReachParts): Promise<void> {
  const caller = c.get('caller')
  if (reachOf(caller, route) === 'none') {
    const named = roles.filter((role) => route.reach[role] !== 'none').join(', ')
    throw new AppError('forbidden', `This needs one of these roles: ${named}.`)
  }
  const purpose = purposeOf(c.req.header('purpose-of-use'))
  c.set('purpose', purpose)
  c.set('scope', await scopeFor(db, caller, route, purpose, timestamp(clock), known))
}

/** Audits failed calls of authenticated callers, except busy ones; `perform` and `performStream` audit successful ones. */
export function audit(operation: string, route: Route, { db, clock }: ReachParts, ledger: Ledger, letInAgain: LetInAgain): Guard {
  return async (c, next) => {
    await next()
    if (c.error === undefined) return
    // A busy call is not audited: its entry would have to wait for the same lock that the call could not get.
    if (c.error instanceof Busy) return
    const caller = c.get('caller')
    const error = await asSeenNow(c, c.error)
    // Record only a valid id: other input could contain anything.
    const params = route.params?.safeParse(c.req.param())
    const { id } = (params?.data ?? {}) as { readonly id?: string }
    const outcome = error instanceof AppError ? `${errorKinds[error.code].status} ${error.code}` : '500 internal'
    const call = { caller, requestId: c.get('request_id'), purpose: c.get('purpose') ?? null }
    const event = auditEvent(operation, route, call, timestamp(clock), outcome, { touched: id === undefined ? [] : [id] })
    const isCounted = c.get('quota') === undefined && countsAsFailed(route, error)
    try {
      await inPractice(db, caller.practice_id, async (write) => {
        if (isCounted) c.set('quota', await ledger.enter(write, route, caller))
        await appendAudit(write, caller.practice_id, event)
      })
      if (isCounted) ledger.stands(caller)
    } catch (failure) {
      if (!(failure instanceof QuotaExceeded)) throw failure
      const refused = { ...event, outcome: '429 quota-exceeded' }
      await inPractice(db, caller.practice_id, (write) => appendAudit(write, caller.practice_id, refused))
      throw failure
    }
    if (error !== c.error) throw error
  }

  /** If authorization has changed and the caller is now refused, returns that refusal instead of the original error. */
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
