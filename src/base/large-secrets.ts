import { createHash } from 'node:crypto'
import { AppError } from '#contract/errors.ts'

export interface SecretStore {
  get(account: string): Promise<Uint8Array | null>
  set(account: string, secret: Uint8Array): Promise<void>
  remove(account: string): Promise<void>
}

/** Limit of Windows Credential Manager (CRED_MAX_CREDENTIAL_BLOB_SIZE). */
const MAX_SECRET_BYTES = 2560

const slots = ['a', 'b'] as const
type Slot = (typeof slots)[number]

interface Header {
  readonly slot: Slot
  readonly count: number
  readonly sha256: string
}

/**
 * Splits a secret larger than `MAX_SECRET_BYTES` into numbered entries. The header is written after the entries, so a
 * crash leaves the old or the new secret.
 */
export function largeSecrets(store: SecretStore): SecretStore {
  const partOf = (account: string, slot: Slot, number: number): string => `${account}/part-${slot}${number}`
  const inTurn = oneAtATime()

  async function get(account: string): Promise<Uint8Array | null> {
    const found = await store.get(account)
    const header = found === null ? null : headerIn(found)
    if (header === null) return found
    const parts: Uint8Array[] = []
    for (let number = 0; number < header.count; number += 1) {
      parts.push((await store.get(partOf(account, header.slot, number))) ?? new Uint8Array())
    }
    const secret = Buffer.concat(parts)
    for (const part of parts) part.fill(0)
    if (sha256(secret) === header.sha256) return secret
    secret.fill(0)
    throw new AppError('keychain-unavailable', 'A part of this secret is missing in the keychain.')
  }

  async function set(account: string, secret: Uint8Array): Promise<void> {
    if (secret.length <= MAX_SECRET_BYTES) {
      await store.set(account, secret)
      for (const slot of slots) await removeParts(account, slot, 0)
      return
    }
    const found = await store.get(account)
    const used = found === null ? null : headerIn(found)
    found?.fill(0)
    const slot = used?.slot === 'a' ? 'b' : 'a'
    const count = Math.ceil(secret.length / MAX_SECRET_BYTES)
    for (let number = 0; number < count; number += 1) {
      const part = secret.subarray(number * MAX_SECRET_BYTES, (number + 1) * MAX_SECRET_BYTES)
      await store.set(partOf(account, slot, number), part)
    }
    await store.set(account, headerOf({ slot, count, sha256: sha256(secret) }))
    await removeParts(account, slot, count)
    await removeParts(account, slot === 'a' ? 'b' : 'a', 0)
  }

  async function remove(account: string): Promise<void> {
    await store.remove(account)
    for (const slot of slots) await removeParts(account, slot, 0)
  }

  async function removeParts(account: string, slot: Slot, first: number): Promise<void> {
    let end = first
    for (let part; (part = await store.get(partOf(account, slot, end))) !== null; end += 1) part.fill(0)
    for (let number = end - 1; number >= first; number -= 1) await store.remove(partOf(account, slot, number))
  }

  return {
    get: (account) => inTurn(account, () => get(account)),
    set: (account, secret) => inTurn(account, () => set(account, secret)),
    remove: (account) => inTurn(account, () => remove(account)),
  }
}

const headerPattern = /^afterword-parts:(a|b):(\d{1,4}):([0-9a-f]{64})$/

const headerOf = ({ slot, count, sha256: hash }: Header): Uint8Array => Buffer.from(`afterword-parts:${slot}:${count}:${hash}`)

function headerIn(secret: Uint8Array): Header | null {
  if (secret.length > 100) return null
  const [, slot, count, hash] = headerPattern.exec(Buffer.from(secret).toString('latin1')) ?? []
  return slot === undefined ? null : { slot: slot as Slot, count: Number(count), sha256: hash ?? '' }
}

const sha256 = (secret: Uint8Array): string => createHash('sha256').update(secret).digest('hex')

function oneAtATime() {
  const last = new Map<string, Promise<unknown>>()
  return <Value>(key: string, work: () => Promise<Value>): Promise<Value> => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, result)
    void result.catch(() => {}).then(() => last.get(key) === result && last.delete(key))
    return result
  }
}
