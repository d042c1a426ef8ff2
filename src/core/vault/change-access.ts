import { timingSafeEqual } from 'node:crypto'
import { diskFailure } from '#base/durable-file.ts'
import { AppError } from '#contract/errors.ts'
import {
  checkPassphrase,
  currentStretching,
  type Envelope,
  keyByPassphrase,
  keyByRecoveryCode,
  sealEnvelope,
  wrapWithPassphrase,
  wrapWithRecovery,
} from '#core/keys/envelope.ts'
import { findKeys, replaceKeys } from './key-copies.ts'
import { newRecoverySecret, writeRecoveryCode } from '#core/keys/recovery-code.ts'
import { type Unlock, unlockKeys } from './unlock-keys.ts'
import { sealKeyOf } from '#core/keys/vault-keys.ts'
import type { VaultPorts } from './vault.ts'

/** `proof` is required although the vault is open, so that an unlocked computer is not enough to take over the records. */
export async function changePassphrase(ports: VaultPorts, proof: Unlock, passphrase: string): Promise<void> {
  checkPassphrase(passphrase)
  await rewrap(ports, proof, async (envelope, dataKey) => {
    if (envelope.protection !== 'passphrase') throw new AppError('conflict', 'The keychain holds the key to these records.')
    const wrapped = await wrapWithPassphrase(dataKey, passphrase, currentStretching, envelope.profile_id)
    return {
      envelope: { ...envelope, passphrase: wrapped },
      open: (written) => keyByPassphrase(written, passphrase),
    }
  })
}

/** Returns the new code without storing it. `proof` can be null if the keychain holds the data key. */
export async function newRecoveryCode(ports: VaultPorts, proof: Unlock | null): Promise<string> {
  const secret = newRecoverySecret()
  try {
    const code = writeRecoveryCode(secret)
    await rewrap(ports, proof ?? undefined, async (envelope, dataKey) => ({
      envelope: { ...envelope, recovery: wrapWithRecovery(dataKey, secret, envelope.profile_id) },
      open: async (written) => keyByRecoveryCode(written, code),
    }))
    return code
  } finally {
    secret.fill(0)
  }
}

interface NewWay {
  readonly envelope: Envelope
  open(written: Envelope): Promise<Buffer>
}

async function rewrap(
  ports: VaultPorts,
  proof: Unlock | undefined,
  make: (envelope: Envelope, dataKey: Buffer) => Promise<NewWay>,
): Promise<void> {
  const found = findKeys(ports.folder)
  if (found.kind !== 'made') throw new AppError('vault-locked')
  const { envelope: old, dataKey } = await unlockKeys(ports, { envelopes: found.envelopes, areStray: false }, proof)
  const prove = async (way: NewWay, written: Envelope): Promise<void> => {
    const key = await way.open(written)
    const isSame = timingSafeEqual(key, dataKey)
    key.fill(0)
    if (!isSame) throw new Error('a wrapped key did not come back')
  }
  try {
    const way = await make(old, dataKey)
    const next = sealEnvelope({ ...way.envelope, generation: old.generation + 1 }, sealKeyOf(dataKey))
    await prove(way, next)
    await replaceKeys(ports, old, next, (written) => prove(way, written))
  } catch (error) {
    throw diskFailure(error) ?? error
  } finally {
    dataKey.fill(0)
  }
}
