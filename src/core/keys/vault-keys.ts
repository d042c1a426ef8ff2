import { deriveKey, open, seal } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'

/** Operations with the data key, which is never exposed. */
export interface VaultKeys {
  /** A separate 32-byte key per purpose; the caller zeroes it. */
  derive(purpose: string): Buffer
  wrap(key: Uint8Array, context: string): Buffer
  /** @throws AppError `database-damaged` if the bytes, profile or context don't match */
  unwrap(wrapped: Uint8Array, context: string): Buffer
  /** Zeroes the data key; later calls throw `vault-locked`. */
  destroy(): void
}

/** Takes ownership of `dataKey`: `destroy` zeroes it. */
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

/** HKDF check value: identifies the data key without revealing it. */
export function keyCheck(dataKey: Uint8Array): string {
  return deriveKey(dataKey, purposeOf('check')).toString('hex')
}

/** The same key as `derive('vault.json')` gives. */
export function sealKeyOf(dataKey: Uint8Array): Buffer {
  return deriveKey(dataKey, purposeOf('file/vault.json'))
}

function purposeOf(purpose: string): string {
  return `afterword/1/${purpose}`
}
