import { type CallInput, type CallResult, NothingThere, type ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { capabilityOf } from '#contract/rest/offered.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { Capabilities } from './capabilities.ts'

/**
 * A service is asked for nothing that it does not offer: such a call ends here, as `not-offered`, and not in a 404 that
 * reads as if a record were missing. Nor is one missing where the service itself is, and something answers in its place.
 */
export function offeredClient(client: ServiceClient, capabilities: Capabilities): ServiceClient {
  /** So it answers for whatever it does not know, and each look at it counts against the day's calls. */
  const isPlain = async (signal: AbortSignal | undefined): Promise<boolean> =>
    (await capabilities.now(signal).catch(() => null))?.is_plain === true

  /** @param needed null: one of the published operations, which every service has */
  async function asked<Result>(
    needed: string | null,
    signal: AbortSignal | undefined,
    ask: () => Promise<Result>,
  ): Promise<Result> {
    if (needed !== null && !(await capabilities.now(signal)).has(needed)) throw new AppError('not-offered')
    try {
      return await ask()
    } catch (error) {
      const isNothing = error instanceof NothingThere && !(await isPlain(signal))
      if (!isNothing && (needed === null || !failedWith(error, 'not-found', 'method-not-allowed'))) throw error
      const offers = await capabilities.lookAgain(signal, isNothing).catch(() => null)
      signal?.throwIfAborted()
      if (offers === null ? isNothing : offers.is_old) throw new AppError('service-unreachable', undefined, [], { cause: error })
      throw needed !== null && offers?.has(needed) === false
        ? new AppError('not-offered', undefined, [], { cause: error })
        : error
    }
  }

  return {
    ...client,
    call: <Id extends OperationId>(operation: Id, input: CallInput<Id>): Promise<CallResult<Id>> =>
      asked(capabilityOf(operation), input.signal, () => client.call(operation, input)),
    ask: (operation, input, accept) => asked(capabilityOf(operation), input.signal, () => client.ask(operation, input, accept)),
    upload: (source, progress) => asked('uploads', progress.signal, () => client.upload(source, progress)),
  }
}
