import { randomBytes } from 'node:crypto'
import { AsyncEntry } from '@napi-rs/keyring'
import { AppError } from '#contract/errors.ts'
import { largeSecrets, type SecretStore } from './large-secrets.ts'

/**
 * The operating system's store for secrets.
 *
 * Every call may throw AppError `keychain-locked` or `keychain-unavailable`. A null is not proof of a new install: a
 * secret service without a collection answers null too.
 */
export interface Keychain {
  get(account: string): Promise<Uint8Array | null>
  set(account: string, secret: Uint8Array): Promise<void>
  remove(account: string): Promise<void>
  /** Whether a secret can be put there and read back now; may make the system ask the person to unlock it. */
  available(): Promise<boolean>
}

const service = 'org.afterword.desktop'
/** An unlock prompt can wait for the person for ever. */
const PATIENCE_MS = 30_000

/** What is used of the library's entry. */
export interface Entry {
  getSecret(): Promise<number[] | null>
  setSecret(secret: Uint8Array): Promise<void>
  deleteCredential(): Promise<boolean>
}

type EntryFactory = (account: string) => Entry

/**
 * Pinned: unpinned it silently falls back to the kernel's keyring, which is gone at the next reboot. macOS and Windows
 * have one store each (Keychain, Credential Manager) and take no pin.
 */
const systemEntry: EntryFactory = (account) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } })

export function systemKeychain(entry: EntryFactory = systemEntry, patience = PATIENCE_MS): Keychain {
  const ask = <Value>(account: string, use: (entry: Entry) => Promise<Value>): Promise<Value> =>
    withPatience(async () => use(entry(account)), patience)

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

async function withPatience<Value>(use: () => Promise<Value>, patience: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('keychain-locked')), patience)
  })
  try {
    return await Promise.race([use(), tooLong])
  } catch (error) {
    throw error instanceof AppError ? error : new AppError(classify(error), undefined, [], { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Every failure of the library has the code GenericFailure, so the message is all there is. */
function classify(error: unknown): 'keychain-locked' | 'keychain-unavailable' {
  const message = error instanceof Error ? error.message : ''
  return /prompt|dismiss|lock|interaction|denied|cancel|not correct/i.test(message) ? 'keychain-locked' : 'keychain-unavailable'
}
