import { z } from 'zod'
import { ServiceBusy, type ServiceClient } from '#client/client.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { failedWith } from '#core/outbox/sending.ts'

/** What a service said of itself, or what was concluded. */
export const toldSchema = z.object({ capabilities: z.array(z.string()).nullable(), is_guess: z.boolean().default(false) })
export type Told = z.infer<typeof toldSchema>

/**
 * A service that answers 404 there offers the ten published operations alone (API.md section 1).
 *
 * @param before what it told last
 */
export async function documentOf(service: ServiceClient, before: () => Promise<Told | null>): Promise<Told> {
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
