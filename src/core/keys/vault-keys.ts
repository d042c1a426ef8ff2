import { deriveKey, open, seal } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'

/** What the data key is used for; the key itself is not handed out. */
export interface VaultKeys {
  /** A key of its own for every purpose, 32 bytes; the caller zeroes it. */
  derive(purpose: string): Buffer
  /** Seals a key so that it opens in this profile and for this context alone. */
  wrap(key: Uint8Array, context: string): Buffer
  /** @throws AppError `database-damaged` where the bytes, the profile or the context are others */
  unwrap(wrapped: Uint8Array, context: string): Buffer
  /** Zeroes the data key; every later use throws `vault-locked`. */
  destroy(): void
}

/** Takes the key over: it is zeroed by `destroy`. */
export function vaultKeys(dataKey: Buffer, profileId: string): VaultKeys {
  const wrapping = deriveKey(dataKey, purposeOf('wrap'))
  let isAlive = true
  const alive = <Value>(use: () => Value): Value => {
    if (!isAlive) throw new AppError('vault-locked')
    return use()
  }
  const associated = (context: string): Buffer => Buffer.from(`afterword/1/wrapped-key/${profileId}/${context}`)
  return {
    derive: (purpose) => alive(() => deriveKey(dataKey, purposeOf(`file/${purpose}`))),
    wrap: (key, context) => alive(() => seal(wrapping, key, associated(context))),
    unwrap: (wrapped, context) =>
      alive(() => {
        const key = open(wrapping, wrapped, associated(context))
        if (key === null) throw new AppError('database-damaged')
        return key
      }),
    destroy: () => {
      isAlive = false
      dataKey.fill(0)
      wrapping.fill(0)
    },
  }
}

/** HKDF of a uniformly random key: says whether a key is the right one, and nothing about it. */
export function keyCheck(dataKey: Uint8Array): string {
  return deriveKey(dataKey, purposeOf('check')).toString('hex')
}

/** What seals envelopes: the same as `derive('vault.json')`. */
export function sealKeyOf(dataKey: Uint8Array): Buffer {
  return deriveKey(dataKey, purposeOf('file/vault.json'))
}

function purposeOf(purpose: string): string {
  return `afterword/1/${purpose}`
}
