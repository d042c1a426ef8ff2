import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type CoreKit, clientWithSession, coreKit, createProfile, dialogue, noService, type OpenCore } from './core-kit.ts'
import { looked } from './looked.ts'

const ends = ['', '-wal', '-shm'] as const
export type Database = 'vault.db' | 'service.db'

/** What stands in these files at this moment, as a kill would leave it. */
export function taken(kit: CoreKit, ...files: readonly Database[]): { putBack(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-taken-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const names = files
    .flatMap((file) => ends.map((end) => file + end))
    .filter((name) => name !== 'vault.db-shm' && name !== 'service.db-shm')
  for (const name of names) if (existsSync(join(kit.folder, name))) copyFileSync(join(kit.folder, name), join(folder, name))
  return {
    putBack() {
      for (const file of files) for (const end of ends) rmSync(join(kit.folder, file + end), { force: true })
      for (const name of names) if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(kit.folder, name))
    },
  }
}

/** The core stops at once, with its files as they stand now. */
export async function killed(kit: CoreKit, opened: OpenCore): Promise<void> {
  const files = taken(kit, 'vault.db', 'service.db')
  await opened.core.close()
  files.putBack()
}

/** @param where share of the file, 0 to 1 */
export function flip(kit: CoreKit, name: string, where: number): void {
  const path = join(kit.folder, name)
  const bytes = readFileSync(path)
  bytes[Math.floor(bytes.length * where)]! ^= 0x10
  writeFileSync(path, bytes)
}

/** @param empty the vault before it was ever compared with the store of the service */
export async function openedProfile(): Promise<{ kit: CoreKit; opened: OpenCore; empty: ReturnType<typeof taken> }> {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const alone = await kit.open({ openService: noService })
  await createProfile(alone)
  await alone.core.close()
  const empty = taken(kit, 'vault.db')
  const opened = await kit.open()
  return { kit, opened, empty }
}

/** Closed and opened again, everything stands in the databases and nothing in their journals. */
export async function reopened(kit: CoreKit, opened: OpenCore): Promise<OpenCore> {
  await opened.core.close()
  return kit.open()
}

/** A client, a session, what was said in it, and a note that was signed. */
export async function signedWork(opened: OpenCore, name: string) {
  const { client, session } = await clientWithSession(opened, name)
  const content = new TextEncoder().encode(dialogue)
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
  await opened.settled()
  const draft = (await opened.call('notes.get', { session_id: session.id })).note!
  const checked = await opened.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
  await opened.call('notes.sign', { id: draft.id, version: checked.version })
  await opened.settled()
  return { client_id: client.id, session_id: session.id, note_id: draft.id }
}

export type Work = Awaited<ReturnType<typeof signedWork>>

/** What the windows show of it, without what counts the changes of one vault. */
export async function shown(opened: OpenCore, { client_id, session_id }: Work) {
  const { client } = await opened.call('clients.get', { id: client_id })
  const { session } = await opened.call('sessions.get', { id: session_id })
  const { transcript } = await opened.call('transcripts.get', { session_id })
  const { note } = await opened.call('notes.get', { session_id })
  return [client, session, transcript, note].map((record) => {
    const {
      version: _,
      updated_at: __,
      created_at: ___,
      clinician_id: ____,
      ...fields
    } = { clinician_id: null, ...record } as Record<string, unknown>
    return fields
  })
}

export async function reported(opened: OpenCore) {
  const reports = await opened.call('recovery.reports', {})
  return reports.map(({ file, cause, items }) => ({
    file,
    cause,
    items: items.map(({ kind, is_recovered, client_name }) => `${kind} of ${client_name}: ${is_recovered}`).toSorted(),
  }))
}

export async function isComplete(opened: OpenCore): Promise<void> {
  await opened.settled()
  expect(await opened.call('outbox.list', {})).toEqual([])
  expect(await opened.call('conflicts.list', {})).toEqual([])
}
