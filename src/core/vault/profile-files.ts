import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '#base/durable-file.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { readEnvelope, writeEnvelope } from './envelope.ts'
import type { Envelope } from './envelope.ts'

export const vaultDatabase = (folder: string): string => join(folder, 'vault.db')
/** The vault before a migration; there only while one is under way or after one failed. */
export const vaultSnapshot = (folder: string, version: number): string => join(folder, `vault.db.schema-${version}`)

export function vaultSnapshots(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^vault\.db\.schema-\d+(\.new)?(-journal)?$/.test(name))
  return names.map((name) => join(folder, name))
}

const envelopeFile = (folder: string): string => join(folder, 'vault.json')
/** Without the envelope nothing opens the records, so it stands twice. */
const envelopeCopy = (folder: string): string => join(folder, 'vault.json.bak')

export type FoundEnvelope = { kind: 'none' | 'unfinished' | 'damaged' | 'newer' } | { kind: 'made'; envelope: Envelope }

export function findEnvelope(folder: string): FoundEnvelope {
  const files = [envelopeFile(folder), envelopeCopy(folder)].filter((path) => existsSync(path))
  if (files.length === 0) return { kind: 'none' }
  const read = files.map((path) => readEnvelope(readFileSync(path, 'utf8')))
  for (const found of read) if (typeof found === 'object' && found.state === 'made') return { kind: 'made', envelope: found }
  if (read.includes('newer')) return { kind: 'newer' }
  return { kind: read.includes('damaged') ? 'damaged' : 'unfinished' }
}

/** The profile whose first run broke off; its keychain entry is of no use to anybody. */
export function unfinishedProfile(folder: string): string | null {
  const path = envelopeFile(folder)
  const found = existsSync(path) ? readEnvelope(readFileSync(path, 'utf8')) : null
  return typeof found === 'object' && found?.state === 'creating' ? found.profile_id : null
}

export function beginEnvelope(folder: string, envelope: Envelope): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceFile(envelopeFile(folder), writeEnvelope({ ...envelope, state: 'creating' }))
}

/** The copy first: were it last, a file that says `creating` could outlive records. */
export function finishEnvelope(folder: string, envelope: Envelope): void {
  const text = writeEnvelope({ ...envelope, state: 'made' })
  replaceFile(envelopeCopy(folder), text)
  replaceFile(envelopeFile(folder), text)
}

/** Both stand as the one that is whole and counts: an older copy would still open with what was taken back. */
export function mendEnvelope(folder: string, envelope: Envelope): void {
  const text = writeEnvelope(envelope)
  for (const path of [envelopeCopy(folder), envelopeFile(folder)]) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    replaceFile(path, text)
  }
}

/**
 * The copy keeps the old envelope until the new one is proven as it stands on the disk. From then on the new one counts,
 * whether the copy follows now or at the next opening: whoever changed it must hear that it did. Cut off in between, the
 * file counts too.
 *
 * @throws AppError `disk-failed` with a detail where the new one stands although it is not proven, and cannot be taken back
 */
export async function replaceEnvelope(
  { folder, log }: { readonly folder: string; readonly log: Log },
  old: Envelope,
  envelope: Envelope,
  prove: (written: Envelope) => Promise<void>,
): Promise<void> {
  const path = envelopeFile(folder)
  // A first file that was damaged gets its whole copy before anything is changed.
  mendEnvelope(folder, old)
  try {
    replaceFile(path, writeEnvelope(envelope))
    const written = readEnvelope(readFileSync(path, 'utf8'))
    if (typeof written !== 'object') throw new Error('the envelope did not come back')
    await prove(written)
  } catch (error) {
    if (takeBack(folder, old)) throw error
    log.error('envelope.not-taken-back', { kind: errorKind(error) })
    throw new AppError('disk-failed', halfChanged, [], { cause: error })
  }
  try {
    replaceFile(envelopeCopy(folder), writeEnvelope(envelope))
  } catch (error) {
    log.warn('envelope.copy-behind', { kind: errorKind(error) })
  }
}

const halfChanged =
  'The change could neither be finished nor taken back. What opened your records before may not open them any more: save a copy of what you need while they are open, and make a new recovery code once the disk can be written.'

/** Whether the old envelope counts again. Where it cannot be written, its copy counts as soon as the file is gone. */
function takeBack(folder: string, old: Envelope): boolean {
  const text = writeEnvelope(old)
  const stands = (path: string): boolean => existsSync(path) && readFileSync(path, 'utf8') === text
  const file = envelopeFile(folder)
  const attempts = [
    () => {},
    () => replaceFile(file, text),
    () => {
      if (stands(envelopeCopy(folder))) rmSync(file)
    },
  ]
  return attempts.some((attempt) => {
    try {
      attempt()
      return stands(file) || (!existsSync(file) && stands(envelopeCopy(folder)))
    } catch {
      return false
    }
  })
}

/** Sealed by a key that some vault held: their presence forbids making another. */
export function hasRecords(folder: string): boolean {
  const recordings = join(folder, 'recordings')
  if (existsSync(recordings) && readdirSync(recordings).length > 0) return true
  return ['service.db', 'service.db-wal'].some((name) => existsSync(join(folder, name)))
}

export function hasVaultDatabase(folder: string): boolean {
  return existsSync(vaultDatabase(folder)) || existsSync(`${vaultDatabase(folder)}-wal`)
}

/** What a first run that broke off has left: no therapist has ever seen this vault open. */
export function removeUnfinished(folder: string): void {
  for (const suffix of ['', '-wal', '-shm', '.new', '.new-wal', '.new-shm'])
    rmSync(vaultDatabase(folder) + suffix, { force: true })
}
