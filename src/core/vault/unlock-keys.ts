import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import { open } from '#base/aead.ts'
import { openEncryptedPages } from '#base/encrypted-pages.ts'
import type { Keychain } from '#base/keychain.ts'
import { errorKind, type Log } from '#base/log.ts'
import { setAsideOf } from '#base/set-aside.ts'
import {
  type Envelope,
  isSameProfile,
  isSealedBy,
  keyByPassphrase,
  keyByRecoveryCode,
  sealEnvelope,
} from '#core/keys/envelope.ts'
import { keyCheck, sealKeyOf, vaultKeys, type VaultKeys, withKey } from '#core/keys/vault-keys.ts'
import { isOwnHeader, recordingFiles } from '#core/recordings/recording-files.ts'
import { inventory, inventoryContext } from './profile-files.ts'
import type { VaultPorts } from './vault.ts'
import { attempt } from '#base/control.ts'

export type Unlock = { passphrase: string } | { recovery_code: string }

export interface UnlockedKeys {
  readonly found: Envelope
  readonly envelope: Envelope
  /** The caller zeroes this key. */
  readonly dataKey: Buffer
}

export interface Envelopes {
  readonly envelopes: readonly Envelope[]
  readonly areStray: boolean
}

type Parts = Pick<VaultPorts, 'folder' | 'keychain'>

/** If `unlock` is given, it must open the newest envelope of the vault. */
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

/** An envelope without a valid seal (from an older release, or forged) counts as older than sealed ones. */
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

/**
 * True if the key opens a database or more than half of the recordings, or if there is nothing to open. One recording of
 * several is not enough, because it may have been copied from another profile.
 */
export function isKeyOfProfile(folder: string, keys: VaultKeys): boolean {
  let isEmpty = true
  for (const name of ['vault.db', 'service.db']) {
    const state = stateOf(folder, name, keys)
    if (state === 'opens') return true
    isEmpty &&= state === 'empty'
  }
  const { own, foreign } = countRecordings(join(folder, 'recordings'), keys)
  return own + foreign === 0 ? isEmpty : own > foreign
}

function stateOf(folder: string, name: string, keys: VaultKeys): 'opens' | 'closed' | 'empty' {
  return withKey(keys, name, (key) => {
    let isEmpty = true
    for (const file of [name, ...setAsideOf(join(folder, name))]) {
      using pages = openEncryptedPages(join(folder, file), key, { triesSalts: file === name })
      if (pages.opensJournal || pages.opensFile()) return 'opens'
      isEmpty &&= pages.count === 0 && !pages.isJournalForeign
    }
    return isEmpty ? 'empty' : 'closed'
  })
}

interface Place {
  readonly folder: string
  readonly profile_id: string
}

export function opensInventory({ folder, profile_id }: Place, keys: VaultKeys): boolean {
  return withKey(
    keys,
    'inventory.aw',
    (key) => attempt(() => open(key, readFileSync(inventory(folder)), inventoryContext(profile_id)) !== null) ?? false,
  )
}

function countRecordings(folder: string, keys: VaultKeys): { readonly own: number; readonly foreign: number } {
  const files = recordingFiles(folder)
  let [own, foreign] = [0, 0]
  for (const id of files.list()) {
    const isOwn = isOwnHeader(keys, files.header(id))
    if (isOwn === true) own += 1
    if (isOwn === false) foreign += 1
  }
  return { own, foreign }
}

const accountOf = (profileId: string): string => `data-key/${profileId}`

export async function fetchKey(keychain: Keychain, envelope: Envelope): Promise<Buffer> {
  const found = await keychain.get(accountOf(envelope.profile_id))
  if (found === null) throw new AppError('key-gone')
  const key = Buffer.from(found)
  found.fill(0)
  if (keyCheck(key) === envelope.key_check) return key
  key.fill(0)
  throw new AppError('key-gone')
}

/** Reads the key back to prove that it was saved. Throws AppError `keychain-unavailable` if it was not. */
export async function keepKey(keychain: Keychain, profileId: string, dataKey: Buffer): Promise<void> {
  await keychain.set(accountOf(profileId), dataKey)
  const found = await keychain.get(accountOf(profileId))
  const isKept = found !== null && found.length === dataKey.length && timingSafeEqual(found, dataKey)
  found?.fill(0)
  if (!isKept) throw new AppError('keychain-unavailable')
}

export async function forgetKey(keychain: Keychain, profileId: string, log: Log): Promise<void> {
  try {
    await keychain.remove(accountOf(profileId))
  } catch (error) {
    log.warn('keychain.leftover', { kind: errorKind(error) })
  }
}
