import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Keychain } from '#core/vault/keychain.ts'

export type KeyName = 'speech' | 'language' | 'service'

/**
 * The keys of a speech server, of a model server and of a practice's service. They stand in the system's keychain alone, and in memory
 * while the records are open, as the header that carries them has to be text.
 */
export interface ServiceKeys {
  get(name: KeyName): string | null
  /** @throws AppError `keychain-unavailable`, `keychain-locked` */
  set(name: KeyName, key: string | null): Promise<void>
}

export async function openServiceKeys(keychain: Keychain, profileId: string, log: Log): Promise<ServiceKeys> {
  const account = (name: KeyName): string => `${name}-key/${profileId}`
  const known = new Map<KeyName, string | null>()
  for (const name of ['speech', 'language', 'service'] as const) known.set(name, await read(name))

  /** Without its keychain the app still opens; what needs the key says so when it is used. */
  async function read(name: KeyName): Promise<string | null> {
    try {
      const secret = await keychain.get(account(name))
      return secret === null ? null : Buffer.from(secret).toString('utf8')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn('keychain.no-service-key', { code: error.code })
      return null
    }
  }

  return {
    get: (name) => known.get(name) ?? null,
    async set(name, key) {
      if (key === null) await keychain.remove(account(name))
      else {
        if (!(await keychain.available())) throw new AppError('keychain-unavailable')
        await keychain.set(account(name), Buffer.from(key, 'utf8'))
      }
      known.set(name, key)
    },
  }
}
