import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Keychain } from '#base/keychain.ts'

/** A keychain that outlives its process. */
export function fileKeychain(path: string): Keychain & { size(): number } {
  const accounts = (): Record<string, string> => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
  const save = (changed: Record<string, string>): void => writeFileSync(path, JSON.stringify(changed))
  return {
    get: async (account) => {
      const secret = accounts()[account]
      return secret === undefined ? null : Buffer.from(secret, 'hex')
    },
    set: async (account, secret) => save({ ...accounts(), [account]: Buffer.from(secret).toString('hex') }),
    remove: async (account) => {
      const { [account]: _removed, ...rest } = accounts()
      save(rest)
    },
    available: async () => true,
    size: () => Object.keys(accounts()).length,
  }
}
