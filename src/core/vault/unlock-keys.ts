import type { Keychain } from '#base/keychain.ts'
import { AppError } from '#contract/errors.ts'
import { isKeyOfProfile } from './key-of-profile.ts'
import type { Envelope } from '#core/keys/envelope.ts'
import { isSameProfile, isSealedBy, sealEnvelope } from '#core/keys/envelope.ts'
import { fetchKey } from '#core/keys/kept-key.ts'
import { keyByPassphrase, keyByRecoveryCode } from '#core/keys/make-envelope.ts'
import { sealKeyOf, vaultKeys } from '#core/keys/vault-keys.ts'

export type Unlock = { passphrase: string } | { recovery_code: string }

export interface UnlockedKeys {
  readonly found: Envelope
  readonly envelope: Envelope
  /** The caller zeroes it. */
  readonly dataKey: Buffer
}

export interface Envelopes {
  readonly envelopes: readonly Envelope[]
  /** True if they were found under other names, so that the key must also open the records. */
  readonly areStray: boolean
}

interface Parts {
  readonly folder: string
  readonly keychain: Keychain
}

/**
 * Unlocks the data key with a passphrase, a recovery code, or else the keychain, and returns it with the newest envelope of
 * this vault. A secret that opens only an older envelope is refused. Envelopes of other vaults are ignored.
 *
 * @throws AppError `vault-locked`, `wrong-passphrase`, `wrong-recovery-code`, `key-gone`, `keys-mismatch`, or a keychain error
 */
export async function unlockKeys(
  { folder, keychain }: Parts,
  { envelopes, areStray }: Envelopes,
  unlock: Unlock | undefined,
): Promise<UnlockedKeys> {
  const failures: AppError[] = []
  const isOneProfile = !areStray && envelopes.every((envelope) => isSameProfile(envelope, envelopes[0]!))
  for (const tried of envelopes) {
    const dataKey = await dataKeyOf(keychain, tried, unlock).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      failures.push(error)
    })
    if (dataKey === undefined) continue
    try {
      if (isOneProfile || opensRecords(folder, dataKey, tried.profile_id)) {
        const newest = newestOf(envelopes, tried, dataKey)
        if (unlock !== undefined && newest.found !== tried) (await dataKeyOf(keychain, newest.found, unlock)).fill(0)
        return { ...newest, dataKey: Buffer.from(dataKey) }
      }
      failures.push(new AppError('keys-mismatch'))
    } finally {
      dataKey.fill(0)
    }
  }
  throw mostUseful(failures)
}

async function dataKeyOf(keychain: Keychain, envelope: Envelope, unlock: Unlock | undefined): Promise<Buffer> {
  if (unlock !== undefined && 'passphrase' in unlock) return keyByPassphrase(envelope, unlock.passphrase)
  if (unlock !== undefined) return keyByRecoveryCode(envelope, unlock.recovery_code)
  if (envelope.protection === 'passphrase') throw new AppError('vault-locked')
  return fetchKey(keychain, envelope)
}

function opensRecords(folder: string, dataKey: Buffer, profileId: string): boolean {
  const keys = vaultKeys(Buffer.from(dataKey), profileId)
  try {
    return isKeyOfProfile(folder, keys)
  } finally {
    keys.destroy()
  }
}

/** An envelope without a valid seal (older release, or forged) counts as older than any sealed one. */
function newestOf(envelopes: readonly Envelope[], own: Envelope, dataKey: Buffer): { found: Envelope; envelope: Envelope } {
  const sealKey = sealKeyOf(dataKey)
  const ofProfile = envelopes.filter((envelope) => isSameProfile(envelope, own))
  const sealed = ofProfile.find((envelope) => isSealedBy(envelope, sealKey))
  const found = sealed ?? ofProfile[0]!
  return { found, envelope: sealed ?? sealEnvelope({ ...found, generation: 1 }, sealKey) }
}

function mostUseful(failures: readonly AppError[]): AppError {
  const isLocked = failures.find(({ code }) => code === 'vault-locked')
  return isLocked ?? failures.find(({ code }) => code !== 'keys-mismatch') ?? failures[0]!
}
