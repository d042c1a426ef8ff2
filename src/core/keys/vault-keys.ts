import { deriveKey, open, seal } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'

export interface VaultKeys {
  derive(purpose: string): Buffer
  wrap(key: Uint8Array, context: string): Buffer
  unwrap(wrapped: Uint8Array, context: string): Buffer
  destroy(): void
}

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

export function withKey<Result>(keys: VaultKeys, purpose: string, work: (key: Buffer) => Result): Result {
  const key = keys.derive(purpose)
  try {
    return work(key)
  } finally {
    key.fill(0)
  }
}

/** Identifies the data key without revealing it. */
export function keyCheck(dataKey: Uint8Array): string {
  return deriveKey(dataKey, purposeOf('check')).toString('hex')
}

export function sealKeyOf(dataKey: Uint8Array): Buffer {
  return deriveKey(dataKey, purposeOf('file/vault.json'))
}

function purposeOf(purpose: string): string {
  return `afterword/1/${purpose}`
}
