import type { Keychain } from '#base/keychain.ts'
import { AppError } from '#contract/errors.ts'

/** The operating system's keychain as a map, with its moods. */
export interface MemoryKeychain extends Keychain {
  readonly accounts: Map<string, Uint8Array>
  /** What every call answers with from now on; null: it works. */
  trouble: 'keychain-locked' | 'keychain-unavailable' | null
}

export function memoryKeychain(accounts: Map<string, Uint8Array> = new Map()): MemoryKeychain {
  const check = (): void => {
    if (keychain.trouble !== null) throw new AppError(keychain.trouble)
  }
  const keychain: MemoryKeychain = {
    accounts,
    trouble: null,
    get: async (account) => {
      check()
      const secret = accounts.get(account)
      return secret ? Uint8Array.from(secret) : null
    },
    set: async (account, secret) => {
      check()
      accounts.set(account, Uint8Array.from(secret))
    },
    remove: async (account) => {
      check()
      accounts.delete(account)
    },
    available: async () => keychain.trouble === null,
  }
  return keychain
}
