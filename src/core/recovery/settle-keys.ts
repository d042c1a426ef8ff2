import { errorKind } from '#base/log.ts'
import { type Envelope, isSealedBy, readEnvelope, writeEnvelope } from '#core/keys/envelope.ts'
import { withKey } from '#core/keys/vault-keys.ts'
import { findKeys, keysSetAside, repairCopies } from '#core/vault/key-copies.ts'
import type { OpenVault, VaultPorts } from '#core/vault/vault.ts'
import { reportRecovery } from '#core/vault/recovery-report.ts'

type Parts = Pick<VaultPorts, 'folder' | 'clock' | 'log'>

/**
 * If the newest envelope file is missing, older than the copy in the vault, or a different envelope of the same generation, the
 * copy replaces the files.
 */
export function settleKeys(parts: Parts, vault: OpenVault): void {
  const { db } = vault
  const kept = keptKeys(vault)
  const found = newestInFiles(parts.folder, vault)
  const isBehind = kept !== null && (found === null || isOlder(found, kept))
  if (isBehind || vault.had_older_keys) reportRecovery(db, parts.clock, { file: 'keys', cause: 'behind' }, [])
  if (isBehind) restore(parts, kept)
  const isNamed = db.prepare('select 1 from recovery_reports, json_each(set_aside) where value = ?')
  const set_aside = keysSetAside(parts.folder).filter((name) => isNamed.get(name) === undefined)
  if (set_aside.length > 0) reportRecovery(db, parts.clock, { file: 'keys', cause: 'damaged', set_aside }, [])
  if (!isBehind) keepKeys(parts, vault)
}

export function keepKeys({ folder }: Pick<Parts, 'folder'>, vault: OpenVault): void {
  const found = newestInFiles(folder, vault)
  if (found === null) return
  vault.db
    .prepare('insert into wrapped_keys (only_one, envelope) values (1, ?) on conflict do update set envelope = excluded.envelope')
    .run(writeEnvelope(found))
}

function isOlder(found: Envelope, kept: Envelope): boolean {
  return found.generation < kept.generation || (found.generation === kept.generation && found.seal !== kept.seal)
}

function keptKeys(vault: OpenVault): Envelope | null {
  const text = vault.db.prepare('select envelope from wrapped_keys').pluck().get() as string | undefined
  const kept = text === undefined ? 'damaged' : readEnvelope(text)
  return typeof kept === 'object' && isOf(vault, kept) ? kept : null
}

function newestInFiles(folder: string, vault: OpenVault): Envelope | null {
  const found = findKeys(folder)
  return found.kind === 'made' ? (found.envelopes.find((envelope) => isOf(vault, envelope)) ?? null) : null
}

const isOf = ({ keys, profile_id }: OpenVault, envelope: Envelope): boolean =>
  withKey(keys, 'vault.json', (sealKey) => envelope.profile_id === profile_id && isSealedBy(envelope, sealKey))

function restore(parts: Parts, envelope: Envelope): void {
  try {
    repairCopies(parts, envelope)
  } catch (error) {
    parts.log.warn('envelope.not-restored', { kind: errorKind(error) })
  }
}
