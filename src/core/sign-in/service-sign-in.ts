import { jsonOf, requireAnswer } from '#client/answer.ts'
import { AppError } from '#contract/errors.ts'
import { protectedResourceAddress } from '#base/protected-resource.ts'
import { protectedResourceSchema } from '#contract/model/protected-resource.ts'
import type { Provider } from './provider.ts'

const waitMs = 15_000

/**
 * Who signs people in to a practice's service, as the service says itself. What speaks of another address is not
 * believed: a token asked for it would be that one's (RFC 9728, 3.3).
 *
 * @throws AppError `sign-in-not-offered`, `service-unreachable`
 */
export async function signInOf(ask: typeof fetch, service: string): Promise<Provider> {
  const response = await requireAnswer(await asked(ask, protectedResourceAddress(service)))
  if (!response.ok) throw new AppError('sign-in-not-offered')
  const metadata = protectedResourceSchema.safeParse(await jsonOf(response, undefined))
  if (!metadata.success || metadata.data.resource.replace(/\/+$/, '') !== service) throw new AppError('sign-in-not-offered')
  const { resource, afterword_desktop: desktop } = metadata.data
  if (desktop === null) throw new AppError('sign-in-not-offered')
  return { ...desktop, resource }
}

async function asked(ask: typeof fetch, address: string): Promise<Response> {
  try {
    return await ask(address, { redirect: 'error', signal: AbortSignal.timeout(waitMs) })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('service-unreachable', undefined, [], { cause: error })
  }
}
