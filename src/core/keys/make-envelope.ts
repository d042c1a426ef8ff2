import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { Protection } from '#contract/bridge/app.ts'
import { AppError } from '#contract/errors.ts'
import type { Envelope } from './envelope.ts'
import { sealEnvelope, unwrapWithPassphrase, unwrapWithRecovery, wrapWithPassphrase, wrapWithRecovery } from './envelope.ts'
import { currentStretching } from './passphrase.ts'
import { readRecoveryCode } from './recovery-code.ts'
import { keyCheck, sealKeyOf } from './vault-keys.ts'

interface NewProfile {
  profileId: string
  protection: Protection
  passphrase: string | null
  dataKey: Buffer
  recoverySecret: Buffer
}

/**
 * Wraps the data key with the recovery secret and the passphrase, if any, and verifies each wrapping by unwrapping it.
 */
export async function makeEnvelope(clock: Clock, profile: NewProfile): Promise<Envelope> {
  const { profileId, protection, passphrase, dataKey, recoverySecret } = profile
  const unsealed: Envelope = {
    format: 'afterword-vault',
    version: 2,
    state: 'creating',
    profile_id: profileId,
    created_at: timestamp(clock),
    protection,
    key_check: keyCheck(dataKey),
    passphrase: passphrase === null ? null : await wrapWithPassphrase(dataKey, passphrase, currentStretching, profileId),
    recovery: wrapWithRecovery(dataKey, recoverySecret, profileId),
    generation: 1,
    seal: null,
  }
  const envelope = sealEnvelope(unsealed, sealKeyOf(dataKey))
  prove(dataKey, unwrapWithRecovery(envelope, recoverySecret))
  if (passphrase !== null) prove(dataKey, await unwrapWithPassphrase(envelope, passphrase))
  return envelope
}

/** @throws AppError `wrong-passphrase` */
export async function keyByPassphrase(envelope: Envelope, passphrase: string): Promise<Buffer> {
  const key = await unwrapWithPassphrase(envelope, passphrase)
  if (key === null) throw new AppError('wrong-passphrase')
  return key
}

/** @throws AppError `wrong-recovery-code` */
export function keyByRecoveryCode(envelope: Envelope, code: string): Buffer {
  const secret = readRecoveryCode(code)
  const key = unwrapWithRecovery(envelope, secret)
  secret.fill(0)
  if (key === null) throw new AppError('wrong-recovery-code')
  return key
}

function prove(dataKey: Buffer, unwrapped: Buffer | null): void {
  if (unwrapped === null || !timingSafeEqual(dataKey, unwrapped)) throw new Error('a wrapped key did not come back')
  unwrapped.fill(0)
}
