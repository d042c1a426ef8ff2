import { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import { type ServiceClient, ServiceBusy } from '#client/client.ts'
import { unlessAborted } from '#client/patience.ts'
import type { KeptAnswers } from '#core/records/kept-answers.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { failedWith } from '#core/outbox/sending.ts'

/**
 * `capabilities`: as the service reports them; null if the service has only the basic API. `is_guess`: true if inferred from
 * other answers.
 */
const answerSchema = z.object({ capabilities: z.array(z.string()).nullable(), is_guess: z.boolean().default(false) })
type ServiceAnswer = z.infer<typeof answerSchema>

async function documentOf(service: ServiceClient, before: () => Promise<ServiceAnswer | null>): Promise<ServiceAnswer> {
  try {
    return { capabilities: (await service.call('describeService', {})).data.capabilities, is_guess: false }
  } catch (error) {
    const last = await before()
    const offeredMore = last !== null && last.capabilities !== null
    if (failedWith(error, 'not-found', 'method-not-allowed')) {
      // A gateway without a running service also answers 404, so check whether `listClients` is answered.
      const answered = await answerForClients(service)
      const isNew = !offeredMore && last?.is_guess !== true
      if (answered === 'nothing' || (answered === 'refused' && !isNew))
        throw new AppError('service-unreachable', undefined, [], { cause: error })
      return { capabilities: null, is_guess: !isNew }
    }
    // The answer may be a web page, e.g. from a captive portal. Assume a service only if `listClients` succeeds.
    if (isAPage(error) && !offeredMore && (await answerForClients(service)) === 'listed')
      return { capabilities: null, is_guess: true }
    throw ofTheService(error)
  }
}

const ofTheService = (error: unknown): unknown =>
  error instanceof AppError && !ofEverything.has(error.code) ? new ServiceBusy(error.retrySeconds) : error

/** Errors that apply to every call. Every other AppError becomes `ServiceBusy`, so that intents wait and do not fail. */
const ofEverything: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'unauthenticated',
  'quota-exceeded',
  'too-many-refusals',
  'sign-in-unavailable',
  'cancelled',
])

/** True if the error was made from an answer, e.g. a web page. A network failure has a `cause` instead. */
const isAPage = (error: unknown): boolean => failedWith(error, 'service-unreachable') && (error as AppError).cause === undefined

const answerForClients = (service: ServiceClient): Promise<'listed' | 'refused' | 'nothing'> =>
  service.call('listClients', { query: { limit: 1 } }).then(
    () => 'listed',
    (error: unknown) =>
      failedWith(error, 'not-found', 'method-not-allowed', 'service-unreachable', 'cancelled') ? 'nothing' : 'refused',
  )

export interface Offers {
  has(capability: string): boolean
  readonly is_plain: boolean
  readonly is_old: boolean
}

export type Capabilities = ReturnType<typeof createCapabilities>

interface Parts {
  readonly connection: () => ServiceClient
  readonly address: () => string | null
  readonly keptAnswers: KeptAnswers
  readonly clock: Clock
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const GUESS_MS = 15 * MINUTE_MS

const everything: Offers = { has: () => true, is_plain: false, is_old: false }

/**
 * Caches the service's capabilities for a day, or for 15 minutes after a guess. If the service can't be asked, e.g. offline,
 * returns the last answer if there is one.
 */
export function createCapabilities({ connection, address, keptAnswers, clock }: Parts) {
  const listeners: ((offers: Offers) => void)[] = []
  const asked = new WeakMap<ServiceClient, Asked>()
  const inFlight = new Set<Promise<unknown>>()

  const ask = async (service: ServiceClient, at: string): Promise<{ offers: Offers; isOld: boolean; isGuess: boolean }> => {
    const question = `offers ${at}`
    const before = (): Promise<ServiceAnswer | null> => lastAnswer(keptAnswers, question)
    const { value, is_old } = await keptAnswers.ask(question, answerSchema, () => documentOf(service, before))
    const offers = offersOf(value.capabilities, is_old)
    if (!is_old) for (const listener of listeners) listener(offers)
    return { offers, isOld: is_old, isGuess: value.is_guess }
  }

  const cachedOffers = (isFresh: (known: Asked) => boolean): Promise<Offers> => {
    const at = address()
    if (at === null) return Promise.resolve(everything)
    const service = connection()
    const known = asked.get(service)
    if (known !== undefined && isFresh(known)) return known.offers
    const answer = ask(service, at)
    const offers = answer.then((one) => one.offers)
    inFlight.add(offers)
    const entry: Asked = { at: clock.elapsed(), keptMs: DAY_MS, offers }
    asked.set(service, entry)
    const forget = (): void => {
      if (asked.get(service)?.offers === offers) asked.delete(service)
    }
    void answer
      .then(({ isOld, isGuess }) => {
        if (isOld) forget()
        if (isGuess) entry.keptMs = GUESS_MS
      }, forget)
      .finally(() => inFlight.delete(offers))
    return offers
  }

  let refreshedAt = Number.NEGATIVE_INFINITY
  return {
    now(signal?: AbortSignal): Promise<Offers> {
      const offers = cachedOffers(({ at, keptMs }) => clock.elapsed() - at < keptMs)
      return until(signal, offers)
    },
    lookAgain(signal?: AbortSignal, isItself = false): Promise<Offers> {
      const isDue = isItself || clock.elapsed() - refreshedAt >= MINUTE_MS
      if (isDue) refreshedAt = clock.elapsed()
      const offers = cachedOffers(() => !isDue)
      return until(signal, offers)
    },
    onAnswer: (listener: (offers: Offers) => void) => void listeners.push(listener),
    async stop(): Promise<void> {
      await Promise.allSettled(inFlight)
    },
  }
}

const lastAnswer = (keptAnswers: KeptAnswers, question: string): Promise<ServiceAnswer | null> =>
  keptAnswers
    .ask(question, answerSchema, () => Promise.reject(new AppError('service-unreachable')))
    .then(
      ({ value }) => value,
      () => null,
    )

const until = (signal: AbortSignal | undefined, offers: Promise<Offers>): Promise<Offers> =>
  signal === undefined ? offers : unlessAborted(offers, signal)

interface Asked {
  readonly at: number
  readonly offers: Promise<Offers>
  keptMs: number
}

function offersOf(capabilities: readonly string[] | null, is_old: boolean): Offers {
  const offered = new Set(capabilities)
  return { has: (capability) => offered.has(capability), is_plain: capabilities === null, is_old }
}
