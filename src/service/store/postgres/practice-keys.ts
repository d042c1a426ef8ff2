import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { deriveKey, open, seal } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'
import type { PracticeKeys } from '../sealed.ts'

/** Sealed text is `sealed1:<practice>:<base64 of nonce, ciphertext, tag>`; sealed bytes are the same without base64. */
const mark = 'sealed1:'
const markBytes = Buffer.from(mark)
const COLON = 0x3a
/** 64 bits. A collision within a practice only yields a wrong search result. */
const BLIND_BYTES = 8

export interface StoreKeys {
  of(practice: string): PracticeKeys
  reveal(value: unknown): unknown
  looksSealed(value: unknown): value is string
  destroy(): void
}

interface Pair {
  readonly sealing: KeyObject
  readonly blinding: KeyObject
  readonly bound: Buffer
}

export function openStoreKeys(serviceKey: Uint8Array): StoreKeys {
  const master = deriveKey(serviceKey, 'store on postgres')
  const known = new Map<string, Pair>()
  return {
    of: (practice) => {
      const { sealing, blinding, bound } = pairOf(practice)
      return {
        seal: (text) => `${mark}${practice}:${seal(sealing, Buffer.from(text), bound).toString('base64')}`,
        sealBytes: (bytes) => Buffer.concat([Buffer.from(`${mark}${practice}:`), seal(sealing, bytes, bound)]),
        blind: (word) =>
          createHmac('sha256', blinding)
            .update(word)
            .digest('hex')
            .slice(0, 2 * BLIND_BYTES),
      }
    },
    reveal: (value) => {
      if (typeof value === 'string' && value.startsWith(mark)) return revealText(value)
      if (value instanceof Uint8Array && markBytes.equals(value.subarray(0, markBytes.length))) return revealBytes(value)
      return value
    },
    looksSealed: (value): value is string => typeof value === 'string' && value.startsWith(mark),
    destroy: () => {
      master.fill(0)
      known.clear()
    },
  }

  function pairOf(practice: string): Pair {
    const found = known.get(practice)
    if (found) return found
    const pair = {
      sealing: madeReady(master, `sealed ${practice}`),
      blinding: madeReady(master, `words ${practice}`),
      bound: Buffer.from(`store ${practice}`),
    }
    known.set(practice, pair)
    return pair
  }

  function revealText(value: string): string {
    const end = value.indexOf(':', mark.length)
    return revealed(value.slice(mark.length, end), Buffer.from(value.slice(end + 1), 'base64')).toString()
  }

  function revealBytes(value: Uint8Array): Buffer {
    const end = value.indexOf(COLON, mark.length)
    return revealed(Buffer.from(value.subarray(mark.length, end)).toString(), value.subarray(end + 1))
  }

  function revealed(practice: string, bytes: Uint8Array): Buffer {
    const { sealing, bound } = pairOf(practice)
    const plain = open(sealing, bytes, bound)
    if (plain === null) throw new AppError('database-damaged')
    return plain
  }
}

function madeReady(master: Uint8Array, purpose: string): KeyObject {
  const key = deriveKey(master, purpose)
  try {
    return createSecretKey(key)
  } finally {
    key.fill(0)
  }
}
