import { newKey } from '#base/aead.ts'
import type { Clock } from '#base/clock.ts'
import { attempt } from '#base/control.ts'
import { diskFailure } from '#base/durable-file.ts'
import { newId } from '#base/ids.ts'
import { errorKind, type Log } from '#base/log.ts'
import type { Migration, Named } from '#base/migrate.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type Protection, type Trouble, troubleSchema } from '#contract/bridge/app.ts'
import { AppError } from '#contract/errors.ts'
import { checkPassphrase, type Envelope, isSameProfile, makeEnvelope } from '#core/keys/envelope.ts'
import { type Envelopes, forgetKey, keepKey, type Unlock, unlockKeys } from './unlock-keys.ts'
import type { Keychain } from '#base/keychain.ts'
import {
  beginKeys,
  findKeys,
  finishKeys,
  isRestoredFromBackup,
  repairCopies,
  strayKeys,
  unfinishedProfile,
} from './key-copies.ts'
import { openRecords } from './open-records.ts'
import { hasRecords, hasVaultDatabase, openToOwner, removeUnfinished, setLinksAside } from './profile-files.ts'
import { newRecoverySecret, writeRecoveryCode } from '#core/keys/recovery-code.ts'
import { type VaultKeys, vaultKeys } from '#core/keys/vault-keys.ts'

export type { Unlock } from './unlock-keys.ts'
export type { VaultKeys } from '#core/keys/vault-keys.ts'

export interface OpenVault {
  readonly profile_id: string
  readonly db: Sqlite
  readonly keys: VaultKeys
  readonly had_older_keys: boolean
  /** The app was stopped while the database was open, and its WAL, which may have had the last changes, is gone. */
  readonly is_journal_lost: boolean
  close(): void
}

export interface VaultPorts {
  folder: string
  keychain: Keychain
  clock: Clock
  log: Log
  migrations: readonly Named<Migration>[]
}

export interface VaultInspection {
  phase: 'first_run' | 'locked' | 'openable' | 'trouble'
  trouble: Trouble | null
  protection: Protection | null
  keychain_available: boolean
}

export async function inspectVault(ports: VaultPorts): Promise<VaultInspection> {
  const { folder, keychain } = ports
  let protection: Protection | null = null
  try {
    setLinksAside(folder, ports.clock)
    openToOwner(folder)
    const found = envelopesOf(folder)
    if (found === null) return { phase: 'first_run', trouble: null, protection, keychain_available: await keychain.available() }
    const { envelopes } = found
    protection = (envelopes.find((envelope) => envelope.protection === 'passphrase') ?? envelopes[0]!).protection
    if (protection === 'keychain' || (await opensWithKeychain(ports, found))) {
      ;(await orWithStrays(folder, found, (all) => unlockKeys(ports, all, undefined))).dataKey.fill(0)
      return { phase: 'openable', trouble: null, protection: 'keychain', keychain_available: true }
    }
    return { phase: 'locked', trouble: null, protection, keychain_available: await responds(keychain) }
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble === null) throw error
    return { phase: 'trouble', trouble, protection, keychain_available: trouble === 'key-gone' && protection === 'keychain' }
  }
}

export async function createVault(
  ports: VaultPorts,
  choice: { protection: Protection; passphrase?: string | undefined },
): Promise<{ vault: OpenVault; recovery_code: string }> {
  const passphrase = choice.protection === 'passphrase' ? (choice.passphrase ?? '') : null
  if (passphrase !== null) checkPassphrase(passphrase)
  const profileId = newId(ports.clock)
  const dataKey = newKey()
  const recoverySecret = newRecoverySecret()
  try {
    await prepareFirstRun(ports)
    const envelope = await makeEnvelope(ports.clock, {
      profileId,
      protection: choice.protection,
      passphrase,
      dataKey,
      recoverySecret,
    })
    beginKeys(ports.folder, envelope)
    if (passphrase === null) await keepKey(ports.keychain, profileId, dataKey)
    const vault = openWith(ports, { envelope, dataKey, isNew: true, hadOlder: false })
    try {
      finishKeys(ports, envelope)
    } catch (error) {
      vault.close()
      throw error
    }
    return { vault, recovery_code: writeRecoveryCode(recoverySecret) }
  } catch (error) {
    dataKey.fill(0)
    throw diskFailure(error) ?? error
  } finally {
    recoverySecret.fill(0)
  }
}

/**
 * Without `unlock`, the key comes from the keychain. If the keychain protects the vault, a recovery code also restores the
 * keychain entry.
 */
export async function openVault(ports: VaultPorts, unlock?: Unlock): Promise<OpenVault> {
  try {
    setLinksAside(ports.folder, ports.clock)
    const all = envelopesOf(ports.folder)
    if (all === null) throw new Error('there is no vault to open')
    return await orWithStrays(ports.folder, all, (envelopes) => openBy(ports, envelopes, unlock))
  } catch (error) {
    throw diskFailure(error) ?? error
  }
}

async function openBy(ports: VaultPorts, envelopes: Envelopes, unlock: Unlock | undefined): Promise<OpenVault> {
  const { found, envelope, dataKey } = await unlockKeys(ports, envelopes, unlock)
  const hadOlder = isRestoredFromBackup(ports.folder, found)
  const restored = unlock && 'recovery_code' in unlock && envelope.protection === 'keychain' ? Buffer.from(dataKey) : null
  try {
    const vault = openWith(ports, { envelope, dataKey, isNew: false, hadOlder })
    repair(ports, envelope)
    if (restored !== null) await restoreKeychainKey(ports, envelope, restored)
    return vault
  } finally {
    restored?.fill(0)
  }
}

const otherKeys = new Set<string>(['keys-mismatch', 'key-gone', 'wrong-passphrase', 'wrong-recovery-code'])

/** If the key files do not open the records, tries the key files of other profiles in the folder and its subfolders. */
async function orWithStrays<Result>(
  folder: string,
  found: Envelopes,
  work: (envelopes: Envelopes) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(found)
  } catch (error) {
    if (found.areStray || !(error instanceof AppError) || !otherKeys.has(error.code)) throw error
    const isOther = (stray: Envelope): boolean => !found.envelopes.some((envelope) => isSameProfile(envelope, stray))
    const envelopes = strayKeys(folder).filter(isOther)
    if (envelopes.length === 0) throw error
    return work({ envelopes, areStray: true }).catch(() => {
      throw error
    })
  }
}

function envelopesOf(folder: string): Envelopes | null {
  const found = findKeys(folder)
  if (found.kind === 'made') return { envelopes: found.envelopes, areStray: false }
  if (found.kind === 'newer') throw new AppError('database-newer')
  const hasAny = found.kind === 'damaged' || hasRecords(folder) || (found.kind === 'none' && hasVaultDatabase(folder))
  const envelopes = found.kind === 'unfinished' && !hasAny ? [] : strayKeys(folder)
  if (envelopes.length > 0) return { envelopes, areStray: true }
  if (hasAny) throw new AppError('keys-missing')
  return null
}

async function opensWithKeychain(ports: VaultPorts, found: Envelopes): Promise<boolean> {
  if (found.envelopes.every(({ protection }) => protection === 'passphrase')) return false
  try {
    ;(await unlockKeys(ports, found, undefined)).dataKey.fill(0)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function prepareFirstRun(ports: VaultPorts): Promise<void> {
  if (envelopesOf(ports.folder) !== null) throw new AppError('vault-exists')
  const profileId = unfinishedProfile(ports.folder)
  if (profileId === null) return
  removeUnfinished(ports.folder)
  await forgetKey(ports.keychain, profileId, ports.log)
}

interface ToOpen {
  readonly envelope: Envelope
  readonly dataKey: Buffer
  readonly isNew: boolean
  readonly hadOlder: boolean
}

function openWith(ports: VaultPorts, { envelope, dataKey, isNew, hadOlder }: ToOpen): OpenVault {
  const keys = vaultKeys(dataKey, envelope.profile_id)
  try {
    const { db, hadJournal } = openRecords({ ...ports, profile_id: envelope.profile_id }, keys, isNew)
    const is_journal_lost = markOpen(db) && !hadJournal
    const close = (): void => {
      keys.destroy()
      attempt(() => unmarkOpen(db))
      db.close()
    }
    return { profile_id: envelope.profile_id, db, keys, had_older_keys: hadOlder, is_journal_lost, close }
  } catch (error) {
    keys.destroy()
    throw error
  }
}

const openMark = `name = 'vault-open'`

/** Marks the database as open, in its main file, because a WAL can be deleted. @returns true if the database was not closed before */
function markOpen(db: Sqlite): boolean {
  const wasOpen = attempt(() => db.prepare(`select 1 from sync_state where ${openMark}`).get() !== undefined)
  if (wasOpen === true) return true
  attempt(() => {
    db.exec(`insert into sync_state (name, value) values ('vault-open', '')`)
    db.pragma('wal_checkpoint(PASSIVE)')
  })
  return false
}

const unmarkOpen = (db: Sqlite): unknown => db.exec(`delete from sync_state where ${openMark}`)

function repair(ports: VaultPorts, envelope: Envelope): void {
  try {
    repairCopies(ports, envelope)
  } catch (error) {
    ports.log.warn('envelope.not-mended', { kind: errorKind(error) })
  }
}

async function restoreKeychainKey(ports: VaultPorts, envelope: Envelope, dataKey: Buffer): Promise<void> {
  try {
    await keepKey(ports.keychain, envelope.profile_id, dataKey)
  } catch (error) {
    ports.log.warn('keychain.not-restored', { kind: errorKind(error) })
  }
}

/** Only reads, because writing could make the system ask for the keychain password at every start. */
async function responds(keychain: Keychain): Promise<boolean> {
  try {
    await keychain.get('probe')
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

function troubleOf(error: unknown): Trouble | null {
  const failure = diskFailure(error) ?? error
  const parsed = troubleSchema.safeParse(failure instanceof AppError ? failure.code : null)
  return parsed.success ? parsed.data : null
}
