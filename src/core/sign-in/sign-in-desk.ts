import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { jsonOf, requireAnswer } from '#client/answer.ts'
import { protectedResourceAddress } from '#base/protected-resource.ts'
import { protectedResourceSchema } from '#contract/model/service-document.ts'
import { given, signIn } from './oauth.ts'
import type { Provider, SignedIn } from './session.ts'

const PATIENCE_MS = 10 * 60_000

export type SignInDesk = ReturnType<typeof openSignInDesk>

export function openSignInDesk({ clock, fetch }: { clock: Clock; fetch: typeof globalThis.fetch }) {
  let under: { readonly control: AbortController; readonly done: Promise<SignedIn> } | null = null
  const close = (): void => {
    under?.control.abort()
    under = null
  }
  return {
    close,
    begin: async (service: string): Promise<string> => {
      close()
      const provider = await signInOf(fetch, service)
      const control = new AbortController()
      const signal = AbortSignal.any([control.signal, AbortSignal.timeout(PATIENCE_MS)])
      const page = Promise.withResolvers<string>()
      const openBrowser = async (address: string): Promise<void> => page.resolve(address)
      const signing = Promise.race([signIn(provider, { clock, openBrowser, signal }), given(signal)])
      const done = signing.then((tokens) => ({ provider, tokens }))
      done.catch(page.reject)
      under = { control, done }
      return page.promise
    },
    finish: async (): Promise<SignedIn> => {
      if (under === null) throw new AppError('cancelled', 'No sign-in is under way.')
      const { done } = under
      try {
        return await done
      } finally {
        if (under?.done === done) under = null
      }
    },
  }
}

const WAIT_MS = 15_000

/**
 * Rejects metadata that names another resource (RFC 9728, 3.3), because this service could then get a token for that resource.
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
    return await ask(address, { redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('service-unreachable', undefined, [], { cause: error })
  }
}
