import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { PAGE_BYTES } from '#base/page-format.ts'
import { deriveKey } from '#base/aead.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import type { CorePorts } from '#core/app/open-core.ts'
import { fetchKey } from '#core/vault/unlock-keys.ts'
import { findKeys } from '#core/vault/key-copies.ts'
import { type CoreKit, coreKit, clientWithSession, createProfile, dialogue, type OpenCore } from '../core-kit.ts'

export interface Profile {
  readonly kit: CoreKit
  readonly names: readonly string[]
  readonly sessionIds: readonly string[]
}

/** A practice with a signed note for each client, closed. */
export async function makeProfile(count: number): Promise<Profile> {
  const kit = coreKit()
  const opened = await kit.open()
  await createProfile(opened)
  const names = Array.from({ length: count }, (_, index) => `Client Number ${index}`)
  const sessionIds: string[] = []
  for (const [index, name] of names.entries()) {
    const { session } = await clientWithSession(opened, name, Date.UTC(2024, 0, 1 + index, 9))
    sessionIds.push(session.id)
    const content = new TextEncoder().encode(dialogue.repeat(3))
    await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
    await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
  }
  await opened.settled()
  await opened.core.close()
  return { kit, names, sessionIds }
}

/** The same profile in a folder of its own. */
export function copyOf({ kit }: Profile): CoreKit & { openAgain: (overrides?: Partial<CorePorts>) => Promise<OpenCore> } {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-damaged-'))
  cpSync(kit.folder, folder, { recursive: true })
  const copy = coreKit({ folder })
  return {
    ...copy,
    openAgain: (overrides) => copy.open({ keychain: kit.ports.keychain, ...overrides }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A copy that is removed when the test has finished. */
export function copied(profile: Profile) {
  const copy = copyOf(profile)
  onTestFinished(() => copy.remove())
  return { ...copy, place: (name: string): string => join(copy.folder, name) }
}

export const pagesOf = (path: string): number => statSync(path).size / PAGE_BYTES

/** Damages more of the page than can be repaired. */
export function overwrite(path: string, page: number, at = 200): Buffer {
  const offset = (page - 1) * PAGE_BYTES + at
  const bytes = readFileSync(path).fill(0x5a, offset, offset + 64)
  writeFileSync(path, bytes)
  return bytes
}

/** The first page of a table or index. */
export async function pageOf({ kit }: Profile, file: string, name: string): Promise<number> {
  const db = openEncrypted(join(kit.folder, file), await keyOf(kit, file))
  const page = db.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(name)
  db.close()
  return page as number
}

/** Of `vault.db` or `service.db`. */
async function keyOf(kit: CoreKit, file: string): Promise<Buffer> {
  const found = findKeys(kit.folder)
  if (found.kind !== 'made') throw new Error('there is no profile')
  return deriveKey(await fetchKey(kit.ports.keychain, found.envelope), `afterword/1/file/${file}`)
}

export const vaultOf = async (kit: CoreKit): Promise<Sqlite> =>
  openEncrypted(join(kit.folder, 'vault.db'), await keyOf(kit, 'vault.db'))

export async function everything(opened: OpenCore, sessionIds: readonly string[]) {
  const clients = await opened.call('clients.list', {})
  const sessions = []
  for (const id of sessionIds) {
    const transcript = await opened.call('transcripts.get', { session_id: id }).catch(() => null)
    const note = await opened.call('notes.get', { session_id: id }).catch(() => null)
    sessions.push({ id, transcript, note })
  }
  return { clients, sessions }
}

/** A record that comes from the service counts its changes and has its times by the service. */
export function withoutTimes(records: unknown): unknown {
  const ofTheService = new Set(['created_at', 'updated_at', 'version', 'clinician_id'])
  return JSON.parse(JSON.stringify(records, (name, value: unknown) => (ofTheService.has(name) ? undefined : value)))
}
