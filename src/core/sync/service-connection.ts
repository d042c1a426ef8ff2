import type { Clock } from '#base/clock.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { type Timer, unlessAborted } from '#client/patience.ts'
import type { DayQuota } from '#client/limits.ts'
import type { KeyName, ServiceKeys } from '#core/settings/service-keys.ts'
import { refresh } from '#core/sign-in/oauth.ts'
import { type SignedIn, signedInOf, textOf, type TokenSource, tokenSource, withTokens } from '#core/sign-in/session.ts'
import { AppError } from '#contract/errors.ts'

/** Placeholder address: requests to the embedded service stay in this process. */
export const embeddedAddress = 'http://embedded.invalid/v1'

interface Parts {
  readonly name: KeyName
  readonly address: () => string | null
  readonly keys: ServiceKeys
  readonly embedded: () => ServiceClient
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly timer?: Timer | undefined
  readonly closing: AbortSignal
  readonly onQuota: (quota: DayQuota) => void
}

export function createServiceConnection(parts: Parts): () => ServiceClient {
  let remote: { address: string; secrets: Secrets; client: ServiceClient } | null = null
  return () => {
    const address = parts.address()
    if (address === null) return parts.embedded()
    const secret = parts.keys.get(parts.name)
    if (remote?.address !== address || !remote.secrets.has(secret)) {
      const secrets: Secrets = new Set([secret])
      remote = { address, secrets, client: clientFor(address, secret, secrets, parts) }
    }
    return remote.client
  }
}

type Secrets = Set<string | null>

function clientFor(base_url: string, secret: string | null, secrets: Secrets, parts: Parts): ServiceClient {
  const { timer, onQuota } = parts
  const options = { onQuota, ...(timer === undefined ? {} : { timer }) }
  const signedIn = secret === null ? null : signedInOf(secret)
  if (signedIn === null)
    return createServiceClient({ base_url, ...(secret === null ? {} : { token: secret }), ...options, fetch: parts.fetch })
  const source = sourceFor(signedIn, secrets, parts)
  return createServiceClient({
    base_url,
    ...options,
    fetch: async (request) => {
      request.headers.set('Authorization', `Bearer ${await unlessAborted(source.current(), parts.closing)}`)
      return parts.fetch(request)
    },
  })
}

function sourceFor(signedIn: SignedIn, secrets: Secrets, { name, keys, clock }: Parts): TokenSource {
  return tokenSource({
    clock,
    tokens: signedIn.tokens,
    renew: async (before) => {
      const spent = before?.refresh_token ?? null
      if (spent === null) throw new AppError('unauthenticated')
      return refresh(signedIn.provider, spent, clock)
    },
    keep: async (tokens) => {
      const before = keys.get(name)
      // The key was replaced or removed during the refresh.
      if (!secrets.has(before)) return
      const text = textOf(withTokens(signedIn, tokens))
      secrets.clear()
      secrets.add(before).add(text)
      await keys.set(name, text)
    },
  })
}
