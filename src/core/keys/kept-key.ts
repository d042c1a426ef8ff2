import { timingSafeEqual } from 'node:crypto'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Envelope } from './envelope.ts'
import type { Keychain } from '#base/keychain.ts'
import { keyCheck } from './vault-keys.ts'

const accountOf = (profileId: string): string => `data-key/${profileId}`

/** @throws AppError `key-gone` if the keychain has no key, or another key, for this profile */
export async function fetchKey(keychain: Keychain, envelope: Envelope): Promise<Buffer> {
  const found = await keychain.get(accountOf(envelope.profile_id))
  if (found === null) throw new AppError('key-gone')
  const key = Buffer.from(found)
  found.fill(0)
  if (keyCheck(key) === envelope.key_check) return key
  key.fill(0)
  throw new AppError('key-gone')
}

/**
 * Reads the key back to prove that it was saved.
 *
 * @throws AppError `keychain-unavailable` if it was not
 */
export async function keepKey(keychain: Keychain, profileId: string, dataKey: Buffer): Promise<void> {
  await keychain.set(accountOf(profileId), dataKey)
  const found = await keychain.get(accountOf(profileId))
  const isKept = found !== null && found.length === dataKey.length && timingSafeEqual(found, dataKey)
  found?.fill(0)
  if (!isKept) throw new AppError('keychain-unavailable')
}

/** Removes the key of an aborted first run. A failure is only logged, because a leftover key opens nothing. */
export async function forgetKey(keychain: Keychain, profileId: string, log: Log): Promise<void> {
  try {
    await keychain.remove(accountOf(profileId))
  } catch (error) {
    log.warn('keychain.leftover', { kind: errorKind(error) })
  }
}
