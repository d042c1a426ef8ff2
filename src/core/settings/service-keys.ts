import { z } from 'zod'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Keychain } from '#base/keychain.ts'
import { attempt } from '#base/control.ts'

const keyNames = ['speech', 'language', 'service', 'moving'] as const
export type KeyName = (typeof keyNames)[number]

const secretSchema = z.string().min(1)
const heldSchema = z.object({ key: secretSchema, origin: z.string().nullable(), next: secretSchema.optional() })
type Held = z.infer<typeof heldSchema>

/**
 * API keys and sign-in tokens, stored in the system keychain. An entry that is bound to an origin is hidden while its address has
 * another origin.
 */
export type ServiceKeys = Awaited<ReturnType<typeof openServiceKeys>>

export async function openServiceKeys(
  keychain: Keychain,
  profileId: string,
  log: Log,
  addressOf: (name: KeyName) => string | null,
) {
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
    // Right after the switch to another service, its key is still in the entry `moving`.
    get: (name: KeyName): string | null => (name === 'service' ? (heldFor(name) ?? movedTo()) : heldFor(name))?.key ?? null,
    holds: (name: KeyName): boolean => heldFor(name) !== null,
    next: (name: KeyName): string | null => heldFor(name)?.next ?? null,
    async keepNext(name: KeyName, next: string): Promise<void> {
      const held = heldFor(name)
      if (held === null) throw new AppError('keychain-locked')
      await hold(name, { ...held, next })
    },
    async forgetAt(name: KeyName, address: string): Promise<void> {
      if (known.get(name)?.origin === originOf(address) && heldFor(name) === null) await hold(name, null)
    },
    async bindNew(): Promise<void> {
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

/** A keychain error is logged, so that the app still opens. Features that need the key fail later. */
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

const originOf = (address: string | null): string | null => (address === null ? null : new URL(address).origin)

/** Older releases stored the key itself, without JSON. */
const heldIn = (secret: string): Held => attempt(() => heldSchema.parse(JSON.parse(secret))) ?? { key: secret, origin: null }
