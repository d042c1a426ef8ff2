import type { Clock } from '#base/clock.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { type Timer, unlessAborted } from '#client/patience.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { DayQuota } from '#client/limits.ts'
import type { KeyName, ServiceKeys } from '#core/settings/service-keys.ts'
import { refresh } from '#core/sign-in/desktop.ts'
import type { SignedIn } from '#core/sign-in/session.ts'
import { signedInOf, textOf, withTokens } from '#core/sign-in/session.ts'
import type { TokenSource } from '#core/sign-in/token-source.ts'
import { tokenSource } from '#core/sign-in/token-source.ts'
import { AppError } from '#contract/errors.ts'

/** Never resolved; requests go to the service in this process. */
export const embeddedAddress = 'http://embedded.invalid/v1'

interface Parts {
  readonly settings: () => Settings
  readonly keys: ServiceKeys
  readonly embedded: (request: Request) => Promise<Response>
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly timer?: Timer | undefined
  /** Aborted when the records are closed, so that nothing waits for the identity provider. */
  readonly closing: AbortSignal
  readonly onQuota: (quota: DayQuota) => void
}

export function createServiceConnection(parts: Parts): () => ServiceClient {
  const embedded = createServiceClient({ base_url: embeddedAddress, fetch: parts.embedded, timer: null })
  let remote: { address: string; secrets: Secrets; client: ServiceClient } | null = null
  return () => {
    const { service_address: address } = parts.settings()
    if (address === null) return embedded
    const secret = parts.keys.get('service')
    if (remote?.address !== address || !remote.secrets.has(secret)) {
      const secrets: Secrets = new Set([secret])
      remote = { address, secrets, client: clientFor(address, secret, { secrets, name: 'service' }, parts, parts.onQuota) }
    }
    return remote.client
  }
}

/** The target of a service migration. */
export function connectTo(
  address: string,
  name: KeyName,
  parts: RemoteParts,
  onQuota?: (quota: DayQuota) => void,
): ServiceClient {
  const secret = parts.keys.get(name)
  return clientFor(address, secret, { secrets: new Set([secret]), name }, parts, onQuota)
}

export type RemoteParts = Pick<Parts, 'keys' | 'fetch' | 'clock' | 'timer' | 'closing'>

/** The secrets a client started with or has stored since. */
type Secrets = Set<string | null>
interface Held {
  readonly secrets: Secrets
  readonly name: KeyName
}

function clientFor(
  base_url: string,
  secret: string | null,
  held: Held,
  parts: RemoteParts,
  onQuota?: (quota: DayQuota) => void,
): ServiceClient {
  const { timer } = parts
  const options = { ...(onQuota === undefined ? {} : { onQuota }), ...(timer === undefined ? {} : { timer }) }
  const signedIn = secret === null ? null : signedInOf(secret)
  if (signedIn === null)
    return createServiceClient({ base_url, ...(secret === null ? {} : { token: secret }), ...options, fetch: parts.fetch })
  const source = sourceFor(signedIn, held, parts)
  return createServiceClient({
    base_url,
    ...options,
    fetch: async (request) => {
      request.headers.set('Authorization', `Bearer ${await unlessAborted(source.current(), parts.closing)}`)
      return parts.fetch(request)
    },
  })
}

function sourceFor(signedIn: SignedIn, { secrets, name }: Held, { keys, clock }: RemoteParts): TokenSource {
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
