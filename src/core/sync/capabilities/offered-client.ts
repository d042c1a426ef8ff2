import type { CallInput, CallResult, ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { capabilityOf } from '#contract/rest/offered.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { failedWith } from '../sending.ts'
import type { Capabilities } from './capabilities.ts'

/**
 * A service is asked for nothing that it does not offer: such a call ends here, as `not-offered`, and not in a 404 that
 * reads as if a record were missing.
 */
export function offeredClient(client: ServiceClient, capabilities: Capabilities): ServiceClient {
  async function withOffer<Result>(needed: string, signal: AbortSignal | undefined, ask: () => Promise<Result>): Promise<Result> {
    if (!(await capabilities.now(signal)).has(needed)) throw new AppError('not-offered')
    try {
      return await ask()
    } catch (error) {
      if (!failedWith(error, 'not-found', 'method-not-allowed')) throw error
      const offers = await capabilities.lookAgain(signal).catch(() => null)
      signal?.throwIfAborted()
      // Where the service itself cannot be asked now, what answers in its place tells nothing of its records.
      if (offers?.is_old) throw new AppError('service-unreachable', undefined, [], { cause: error })
      throw offers?.has(needed) === false ? new AppError('not-offered', undefined, [], { cause: error }) : error
    }
  }

  return {
    ...client,
    call<Id extends OperationId>(operation: Id, input: CallInput<Id>): Promise<CallResult<Id>> {
      const needed = capabilityOf(operation)
      return needed === null
        ? client.call(operation, input)
        : withOffer(needed, input.signal, () => client.call(operation, input))
    },
    ask(operation, input, accept) {
      const needed = capabilityOf(operation)
      return needed === null
        ? client.ask(operation, input, accept)
        : withOffer(needed, input.signal, () => client.ask(operation, input, accept))
    },
    upload: (source, progress) => withOffer('uploads', progress.signal, () => client.upload(source, progress)),
  }
}
