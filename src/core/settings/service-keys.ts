import { z } from 'zod'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Keychain } from '#base/keychain.ts'

const keyNames = ['speech', 'language', 'service'] as const
export type KeyName = (typeof keyNames)[number]

/** A key and whom it was given for; null where it was given before there was an address. */
const heldSchema = z.object({ key: z.string().min(1), origin: z.string().nullable() })
type Held = z.infer<typeof heldSchema>

/**
 * The keys of a speech server, of a model server and of a practice's service. They stand in the system's keychain alone,
 * and in memory while the records are open, as the header that carries them has to be text. A key goes to the host it
 * was given for and to no other: after a change of address it is as if there were none, until the address is back.
 */
export interface ServiceKeys {
  get(name: KeyName): string | null
  /** @throws AppError `keychain-unavailable`, `keychain-locked` */
  set(name: KeyName, key: string | null): Promise<void>
  /** A key given before there was an address belongs to the first one that is set. */
  bindNew(): Promise<void>
}

export async function openServiceKeys(
  keychain: Keychain,
  profileId: string,
  log: Log,
  addressOf: (name: KeyName) => string | null,
): Promise<ServiceKeys> {
  const account = (name: KeyName): string => `${name}-key/${profileId}`
  const known = new Map<KeyName, Held | null>()
  for (const name of keyNames) known.set(name, await read(name))

  /** Without its keychain the app still opens; what needs the key says so when it is used. */
  async function read(name: KeyName): Promise<Held | null> {
    try {
      const secret = await keychain.get(account(name))
      return secret === null ? null : heldIn(Buffer.from(secret).toString('utf8'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn('keychain.no-service-key', { code: error.code })
      return null
    }
  }

  async function set(name: KeyName, key: string | null): Promise<void> {
    const held = key === null ? null : { key, origin: originOf(addressOf(name)) }
    if (held === null) await keychain.remove(account(name))
    else {
      if (!(await keychain.available())) throw new AppError('keychain-unavailable')
      await keychain.set(account(name), Buffer.from(JSON.stringify(held), 'utf8'))
    }
    known.set(name, held)
  }

  return {
    set,
    get(name) {
      const held = known.get(name) ?? null
      return held === null || (held.origin !== null && held.origin !== originOf(addressOf(name))) ? null : held.key
    },
    async bindNew() {
      for (const name of keyNames) {
        const held = known.get(name) ?? null
        if (held === null || held.origin !== null || addressOf(name) === null) continue
        await set(name, held.key).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
          log.warn('keychain.key-not-bound', { code: error.code })
        })
      }
    },
  }
}

function originOf(address: string | null): string | null {
  return address === null ? null : new URL(address).origin
}

function heldIn(secret: string): Held {
  try {
    return heldSchema.parse(JSON.parse(secret))
  } catch {
    return { key: secret, origin: null } // as it was kept before keys belonged to a host
  }
}
