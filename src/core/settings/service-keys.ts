import { z } from 'zod'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Keychain } from '#base/keychain.ts'

/** `moving`: of the practice's service that the records are on their way to. */
const keyNames = ['speech', 'language', 'service', 'moving'] as const
export type KeyName = (typeof keyNames)[number]

/** A key and whom it was given for; null where it was given before there was an address. */
const heldSchema = z.object({
  key: z.string().min(1),
  origin: z.string().nullable(),
  /** Made to take its place; the service may know it already. */
  next: z.string().min(1).optional(),
})
type Held = z.infer<typeof heldSchema>

/**
 * The keys of a speech server, of a model server and of a practice's service. They stand in the system's keychain alone,
 * and in memory while the records are open, as the header that carries them has to be text. A key goes to the host it
 * was given for and to no other: after a change of address it is as if there were none, until the address is back.
 */
export interface ServiceKeys {
  get(name: KeyName): string | null
  /** It stands in its own place for the host of the moment, not still where it was for the way there. */
  holds(name: KeyName): boolean
  /** @throws AppError `keychain-unavailable`, `keychain-locked` */
  set(name: KeyName, key: string | null): Promise<void>
  /** What is to take its place, kept beside it until that is certain; null: nothing is. */
  next(name: KeyName): string | null
  /** @throws AppError as `set` does, and `keychain-locked` where there is none in its own place to keep it beside */
  keepNext(name: KeyName, next: string): Promise<void>
  /** What was given for that host at an earlier time, while another one is used. @throws AppError as `set` does */
  forgetAt(name: KeyName, address: string): Promise<void>
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
  for (const name of keyNames) known.set(name, await read(keychain, account(name), log))

  const set = (name: KeyName, key: string | null): Promise<void> =>
    hold(name, key === null ? null : { key, origin: originOf(addressOf(name)) })

  async function hold(name: KeyName, held: Held | null): Promise<void> {
    if (held === null) await keychain.remove(account(name))
    else {
      if (!(await keychain.available())) throw new AppError('keychain-unavailable')
      await keychain.set(account(name), Buffer.from(JSON.stringify(held), 'utf8'))
    }
    known.set(name, held)
  }

  function heldFor(name: KeyName): Held | null {
    const held = known.get(name) ?? null
    return held === null || (held.origin !== null && held.origin !== originOf(addressOf(name))) ? null : held
  }

  function movedTo(): Held | null {
    const held = known.get('moving') ?? null
    return held !== null && held.origin !== null && held.origin === originOf(addressOf('service')) ? held : null
  }

  return {
    set,
    // Moved there a moment ago, the key is still where it was for the way.
    get: (name) => (name === 'service' ? (heldFor(name) ?? movedTo()) : heldFor(name))?.key ?? null,
    holds: (name) => heldFor(name) !== null,
    next: (name) => heldFor(name)?.next ?? null,
    async keepNext(name, next) {
      const held = heldFor(name)
      if (held === null) throw new AppError('keychain-locked')
      await hold(name, { ...held, next })
    },
    async forgetAt(name, address) {
      if (known.get(name)?.origin === originOf(address) && heldFor(name) === null) await hold(name, null)
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

/** Without its keychain the app still opens; what needs the key says so when it is used. */
async function read(keychain: Keychain, account: string, log: Log): Promise<Held | null> {
  try {
    const secret = await keychain.get(account)
    return secret === null ? null : heldIn(Buffer.from(secret).toString('utf8'))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn('keychain.no-service-key', { code: error.code })
    return null
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
