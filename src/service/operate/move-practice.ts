import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Log } from '#base/log.ts'
import { newKey } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'
import { openBlobStore } from '../blobs/blobs.ts'
import { type Content, exportPractice, type MovingStore, PracticeChanged, schemaNow } from '../move/export-practice.ts'
import { ImportDiffers, importPractice, clearPractice, removeRecords } from '../move/import-practice.ts'
import { type EntryOf, readTransfer, UnreadableTransfer, writeTransfer } from '../move/transfer-file.ts'
import { appendAudit } from '../store/audit.ts'
import { verifyAudit } from '../store/read-audit.ts'
import { inPractice, readSnapshot } from '../store/in-practice.ts'
import { hasWork } from '../store/retention.ts'
import { findPractice, place, type Practice } from '../store/practices.ts'
import type { Database } from '../store/tables.ts'
import { audioStoreOf } from './copy.ts'
import { byOperator } from './keys.ts'
import { Mistake } from './server-settings.ts'
import { readKey, type Say, withStore, writeKey } from './place.ts'
import type { Settings } from './settings.ts'

export async function exportToFile(settings: Settings, log: Log, say: Say, id = '', given = ''): Promise<number> {
  const file = resolve(given)
  const keyFile = keyFileOf(settings, file)
  for (const path of [file, keyFile]) if (existsSync(path)) throw new Mistake(`${path} exists already. Name a new file.`)
  return withMovingStore(settings, log, async (store) => {
    const practice = await practiceHere(store.db, id)
    if (practice.state === 'open') await close(store.db, practice, null)
    await refuseUnready(store.db, id)
    const key = newKey()
    const transfer = writeTransfer(file, key)
    let content: Content
    try {
      content = await exportPractice(store, practice, transfer)
      writeKey(keyFile, key)
      transfer.finish()
    } catch (error) {
      transfer.discard()
      if (error instanceof PracticeChanged) throw new Mistake('The practice changed during the export. Run the export again.')
      throw error
    } finally {
      key.fill(0)
    }
    say(`${practice.name}: ${described(content)} are in ${file}`)
    say(`The file opens with the key in ${keyFile} alone. Send the key another way than the file.`)
    say(`This service no longer answers calls for the practice. To cancel the move: practices open ${id}`)
  })
}

export async function importFromFile(settings: Settings, log: Log, say: Say, given = ''): Promise<number> {
  const file = resolve(given)
  const keyFile = keyFileOf(settings, file)
  for (const path of [file, keyFile]) if (!existsSync(path)) throw new Mistake(`There is no file ${path}.`)
  const key = readKey(keyFile)
  const header = readWhole(file, key)
  if (header.schema !== schemaNow())
    throw new Mistake(
      `${file} is from a store at version ${header.schema}, and this one is at ${schemaNow()}. Bring both services to one release, then export again.`,
    )
  return withMovingStore(settings, log, async (store) => {
    await makeRoom(store, header, say)
    try {
      const imported = byOperator('importPractice', 'C', [header.id])
      const content = await importPractice(store, header, () => readTransfer(file, key), imported)
      say(`${header.name} (${header.id}): ${described(content)} arrived as they were exported; the audit log is whole.`)
    } catch (error) {
      if (error instanceof ImportDiffers)
        throw new Mistake('What arrived differs from what was exported, so nothing of it was kept. The export is unchanged.')
      if (!(error instanceof AppError)) throw error
      throw new Mistake(`The practice could not be imported, and nothing of it was kept: ${error.detail ?? error.message}`)
    }
  })
}

export async function closePractice(settings: Settings, log: Log, say: Say, id = ''): Promise<number> {
  return withMovingStore(settings, log, async ({ db }) => {
    const practice = await findPractice(db, id)
    if (practice === null || practice.state === 'arriving') throw unknown(id)
    const { moved_to = null } = settings
    if (practice.state === 'open') await close(db, practice, moved_to)
    else await inPractice(db, id, (write) => place(write, id, { state: practice.state, moved_to }))
    say(
      moved_to === null ? `${practice.name} is closed.` : `${practice.name} is closed. Callers get the new address ${moved_to}.`,
    )
  })
}

export async function reopenPractice(settings: Settings, log: Log, say: Say, id = ''): Promise<number> {
  return withMovingStore(settings, log, async ({ db }) => {
    const practice = await practiceHere(db, id)
    await inPractice(db, id, async (write) => {
      await place(write, id, { state: 'open', moved_to: null })
      await appendAudit(write, id, byOperator('openPractice', 'U', [id]))
    })
    say(`${practice.name} is open. If it was imported elsewhere, remove it there: two copies cannot be joined again.`)
  })
}

export async function removePractice(settings: Settings, log: Log, say: Say, id = ''): Promise<number> {
  return withMovingStore(settings, log, async (store) => {
    const practice = await findPractice(store.db, id)
    if (practice === null) throw unknown(id)
    if (practice.state === 'open') throw new Mistake(`${practice.name} is open. Close it first: practices close ${id}`)
    if (practice.state === 'arriving') await clearPractice(store, id)
    else {
      const { moved_to } = practice
      await inPractice(store.db, id, (write) => place(write, id, { state: 'removed', moved_to }))
      await removeRecords(store, id)
    }
    say(`The records of ${practice.name} are removed from this store. Backups of it still hold them.`)
  })
}

async function close(db: Database, { id }: Practice, moved_to: string | null): Promise<void> {
  await inPractice(db, id, async (write) => {
    await appendAudit(write, id, byOperator('closePractice', 'U', [id]))
    await place(write, id, { state: 'closed', moved_to })
  })
}

async function practiceHere(db: Database, id: string): Promise<Practice> {
  const practice = await findPractice(db, id)
  if (practice === null || practice.state === 'arriving') throw unknown(id)
  if (practice.state === 'removed') throw new Mistake(`The records of ${practice.name} were removed from this store.`)
  return practice
}

const unknown = (id: string): Mistake => new Mistake(`There is no practice ${id}. "practices list" names them all.`)

async function refuseUnready(db: Database, id: string): Promise<void> {
  const { isBusy, chain } = await readSnapshot(db, id, async (read) => ({
    isBusy: await hasWork(read, id),
    chain: await verifyAudit(read, id),
  }))
  if (isBusy)
    throw new Mistake(
      `Work for the practice is still under way. Let the service finish it, then export again. Calls are refused meanwhile; "practices open ${id}" ends that.`,
    )
  if (chain.broken_at !== null)
    throw new Mistake(`The audit log is broken at event ${chain.broken_at}. "audit verify" says more. Nothing was exported.`)
}

function readWhole(file: string, key: Uint8Array): EntryOf<'practice'> {
  let header: EntryOf<'practice'> | null = null
  try {
    for (const entry of readTransfer(file, key)) if (entry.kind === 'practice') header ??= entry
  } catch (error) {
    if (error instanceof UnreadableTransfer) throw new Mistake(`${file} cannot be imported. ${error.message}`)
    throw error
  }
  if (header === null) throw new Mistake(`${file} cannot be imported. It holds no practice.`)
  return header
}

async function makeRoom(store: MovingStore, { id, name }: EntryOf<'practice'>, say: Say): Promise<void> {
  const found = await findPractice(store.db, id)
  if (found === null) return
  if (found.state === 'open' || found.state === 'closed')
    throw new Mistake(
      found.state === 'open'
        ? `${name} is already open in this store.`
        : `${name} is still in this store. Remove it first: practices remove ${id}`,
    )
  if (found.state === 'arriving') say('An earlier import stopped midway. It begins again.')
  await clearPractice(store, id)
}

const keyFileOf = ({ transfer_key }: Settings, file: string): string =>
  transfer_key === undefined ? `${file}.key` : resolve(transfer_key)

function described({ tables, chunks }: Content): string {
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0)
  return `${rows} rows and ${chunks.count / 2} pieces of audio`
}

function withMovingStore(settings: Settings, log: Log, work: (store: MovingStore) => Promise<void>): Promise<number> {
  return withStore(settings, log, async (db, { data, keys }) => {
    const blobs = await openBlobStore(audioStoreOf(settings, data))
    try {
      await work({ db, blobs, columns: keys, pepper: keys.pepper })
    } finally {
      blobs.close()
    }
  })
}
