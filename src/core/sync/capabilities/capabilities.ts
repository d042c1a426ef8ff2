import { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import { type ServiceClient, ServiceBusy } from '#client/client.ts'
import { unlessAborted } from '#client/patience.ts'
import type { KeptAnswers } from '#core/records/kept-answers.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { failedWith } from '#core/outbox/sending.ts'

/** What a service said of itself, or what was concluded. */
const toldSchema = z.object({ capabilities: z.array(z.string()).nullable(), is_guess: z.boolean().default(false) })
type Told = z.infer<typeof toldSchema>

/**
 * A service that answers 404 there offers the ten published operations alone (API.md section 1).
 *
 * @param before what it told last
 */
async function documentOf(service: ServiceClient, before: () => Promise<Told | null>): Promise<Told> {
  try {
    return { capabilities: (await service.call('describeService', {})).data.capabilities, is_guess: false }
  } catch (error) {
    const last = await before()
    const toldMore = last !== null && last.capabilities !== null
    if (failedWith(error, 'not-found', 'method-not-allowed')) {
      // So answers a gateway that has no service, or has lost it, as well, and then to every call.
      const answered = await answerForClients(service)
      const isNew = !toldMore && last?.is_guess !== true
      if (answered === 'nothing' || (answered === 'refused' && !isNew))
        throw new AppError('service-unreachable', undefined, [], { cause: error })
      return { capabilities: null, is_guess: !isNew }
    }
    // There is nothing but a page there, which a network that wants to be signed in to has as well, or a gateway whose service
    // is just starting: a published call tells, and what it told of before it has not lost by a page.
    if (isAPage(error) && !toldMore && (await answerForClients(service)) === 'listed')
      return { capabilities: null, is_guess: true }
    throw ofTheService(error)
  }
}

const ofTheService = (error: unknown): unknown =>
  error instanceof AppError && !ofEverything.has(error.code) ? new ServiceBusy(error.retrySeconds) : error

/** What is said of whatever would be asked; any other refusal is of the document alone, and of nothing that waits to be sent. */
const ofEverything: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'unauthenticated',
  'quota-exceeded',
  'too-many-refusals',
  'sign-in-unavailable',
  'cancelled',
])

/** Something answered that is no service; where nothing did, there is a cause. */
const isAPage = (error: unknown): boolean => failedWith(error, 'service-unreachable') && (error as AppError).cause === undefined

/** `refused`: by something that knows of clients. */
const answerForClients = (service: ServiceClient): Promise<'listed' | 'refused' | 'nothing'> =>
  service.call('listClients', { query: { limit: 1 } }).then(
    () => 'listed',
    (error: unknown) =>
      failedWith(error, 'not-found', 'method-not-allowed', 'service-unreachable', 'cancelled') ? 'nothing' : 'refused',
  )

/** What a service offers beyond the ten published operations. */
export interface Offers {
  has(capability: string): boolean
  /** Nothing beyond them: it has no service document. */
  readonly is_plain: boolean
  /** Told before; just now it cannot be asked. */
  readonly is_old: boolean
}

export interface Capabilities {
  /**
   * Asked once of each connection, and once a day; offline, what the service at this address told last.
   *
   * @throws AppError `service-unreachable`, `unauthenticated` where it was never asked; what `signal` was aborted with
   */
  now(signal?: AbortSignal): Promise<Offers>
  /** Asks anew, since something that was offered is not there; once a minute at most, unless it may be the service itself. */
  lookAgain(signal?: AbortSignal, isItself?: boolean): Promise<Offers>
  /** Called with each fresh answer of a service elsewhere. */
  onAnswer(listener: (offers: Offers) => void): void
  /** Once what was asked is answered, or was cut off, so that no answer is kept any more. */
  stop(): Promise<void>
}

interface Parts {
  /** A new address or key makes it another one. */
  readonly connection: () => ServiceClient
  /** Null: the service on this laptop, which offers everything and is not asked. */
  readonly address: () => string | null
  readonly keptAnswers: KeptAnswers
  readonly clock: Clock
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** What was only concluded is looked at again soon. */
const GUESS_MS = 15 * MINUTE_MS

const everything: Offers = { has: () => true, is_plain: false, is_old: false }

export function createCapabilities({ connection, address, keptAnswers, clock }: Parts): Capabilities {
  const listeners: ((offers: Offers) => void)[] = []
  const asked = new WeakMap<ServiceClient, Asked>()
  const underWay = new Set<Promise<unknown>>()

  const ask = async (service: ServiceClient, at: string): Promise<{ offers: Offers; isOld: boolean; isGuess: boolean }> => {
    const question = `offers ${at}`
    const before = (): Promise<Told | null> => lastTold(keptAnswers, question)
    const { value, is_old } = await keptAnswers.ask(question, toldSchema, () => documentOf(service, before))
    const offers = offersOf(value.capabilities, is_old)
    if (!is_old) for (const listener of listeners) listener(offers)
    return { offers, isOld: is_old, isGuess: value.is_guess }
  }

  const told = (isFresh: (known: Asked) => boolean): Promise<Offers> => {
    const at = address()
    if (at === null) return Promise.resolve(everything)
    const service = connection()
    const known = asked.get(service)
    if (known !== undefined && isFresh(known)) return known.offers
    const answer = ask(service, at)
    const offers = answer.then((one) => one.offers)
    underWay.add(offers)
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
      .finally(() => underWay.delete(offers))
    return offers
  }

  let lookedAt = Number.NEGATIVE_INFINITY
  return {
    now: (signal) =>
      until(
        signal,
        told(({ at, keptMs }) => clock.elapsed() - at < keptMs),
      ),
    lookAgain(signal, isItself = false) {
      const isDue = isItself || clock.elapsed() - lookedAt >= MINUTE_MS
      if (isDue) lookedAt = clock.elapsed()
      return until(
        signal,
        told(() => !isDue),
      )
    },
    onAnswer: (listener) => void listeners.push(listener),
    async stop() {
      await Promise.allSettled(underWay)
    },
  }
}

const lastTold = (keptAnswers: KeptAnswers, question: string): Promise<Told | null> =>
  keptAnswers
    .ask(question, toldSchema, () => Promise.reject(new AppError('service-unreachable')))
    .then(
      ({ value }) => value,
      () => null,
    )

/** All wait for one answer, each for as long as it likes. */
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
