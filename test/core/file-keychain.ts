import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { memoryKeychain, type MemoryKeychain } from '#test/support/memory-keychain.ts'

/** A keychain several processes of one test share. */
export function fileKeychain(path: string): MemoryKeychain {
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as [string, string][]) : []
  const accounts = new Map(known.map(([account, secret]) => [account, Uint8Array.from(Buffer.from(secret, 'hex'))]))
  const keychain = memoryKeychain(accounts)
  const { set } = keychain
  keychain.set = async (account, secret) => {
    await set(account, secret)
    writeFileSync(path, JSON.stringify([...accounts].map(([name, value]) => [name, Buffer.from(value).toString('hex')])))
  }
  return keychain
}
