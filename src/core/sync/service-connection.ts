import { createServiceClient, type ServiceClient } from '#client/client.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { ServiceKeys } from '#core/settings/service-keys.ts'

/** Never resolved: requests to it go straight to the service in this process. */
export const embeddedAddress = 'http://embedded.invalid/v1'

/** The service of the moment: a practice's where the settings name one, else the embedded one. */
export function createServiceConnection(parts: {
  settings: () => Settings
  keys: ServiceKeys
  embedded: (request: Request) => Promise<Response>
  fetch: typeof fetch
}): () => ServiceClient {
  const embedded = createServiceClient({ base_url: embeddedAddress, fetch: parts.embedded })
  let remote: { address: string; token: string | null; client: ServiceClient } | null = null
  return () => {
    const { service_address: address } = parts.settings()
    if (address === null) return embedded
    const token = parts.keys.get('service')
    if (remote?.address !== address || remote.token !== token) {
      const client = createServiceClient({ base_url: address, ...(token === null ? {} : { token }), fetch: parts.fetch })
      remote = { address, token, client }
    }
    return remote.client
  }
}
