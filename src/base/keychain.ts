import { randomBytes } from 'node:crypto'
import { AsyncEntry } from '@napi-rs/keyring'
import { AppError } from '#contract/errors.ts'
import { within } from './control.ts'
import { largeSecrets, type SecretStore } from './large-secrets.ts'

/**
 * Every call except `available` may throw AppError `keychain-locked` or `keychain-unavailable`. Null from `get` does not
 * prove a new install: a secret service without a collection also returns null.
 */
export interface Keychain extends SecretStore {
  available(): Promise<boolean>
}

const service = 'org.afterword.desktop'
/** Without a limit, an unlock prompt that the user does not answer would block the call forever. */
const TIMEOUT_MS = 30_000

export interface Entry {
  getSecret(): Promise<number[] | null>
  setSecret(secret: Uint8Array): Promise<void>
  deleteCredential(): Promise<boolean>
}

type EntryFactory = (account: string) => Entry

/** On Linux the library would otherwise fall back silently to the kernel keyring, which is lost at reboot. */
const systemEntry: EntryFactory = (account) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } })

export function systemKeychain(entry: EntryFactory = systemEntry, timeoutMs = TIMEOUT_MS): Keychain {
  async function ask<Value>(account: string, use: (entry: Entry) => Promise<Value>): Promise<Value> {
    try {
      return await within(use(entry(account)), timeoutMs, () => {
        throw new AppError('keychain-locked')
      })
    } catch (error) {
      throw error instanceof AppError ? error : new AppError(classify(error), undefined, [], { cause: error })
    }
  }

  const store: SecretStore = {
    async get(account) {
      const numbers = await ask(account, (found) => found.getSecret())
      if (numbers === null) return null
      const secret = Buffer.from(numbers)
      numbers.fill(0)
      return secret
    },
    set: (account, secret) => ask(account, (found) => found.setSecret(secret)),
    remove: async (account) => void (await ask(account, (found) => found.deleteCredential())),
  }

  async function available(): Promise<boolean> {
    const account = `probe/${randomBytes(8).toString('hex')}`
    const secret = randomBytes(16)
    try {
      await store.set(account, secret)
      const found = await store.get(account)
      await store.remove(account)
      return found !== null && secret.equals(found)
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }
  return { ...largeSecrets(store), available }
}

/** The library reports every failure as GenericFailure, so only the message tells the causes apart. */
function classify(error: unknown): 'keychain-locked' | 'keychain-unavailable' {
  const message = error instanceof Error ? error.message : ''
  return /prompt|dismiss|lock|interaction|denied|cancel|not correct/i.test(message) ? 'keychain-locked' : 'keychain-unavailable'
}
