import { isDeepStrictEqual } from 'node:util'
import { appendAudit, type AuditEvent, importChain } from '../store/audit.ts'
import { verifyAudit } from '../store/read-audit.ts'
import { inPractice, readSnapshot } from '../store/in-practice.ts'
import { place, findPractice } from '../store/practices.ts'
import { sealed } from '../store/sealed.ts'
import { blobIds, type Content, contentOf, type MovingStore } from './export-practice.ts'
import type { Write } from '../store/tables.ts'
import { deleteSome, insertRows, type MovingTable, movingTables, storable } from './rows.ts'
import type { Entry, EntryOf, PortableRow } from './transfer-file.ts'

const ROWS_AT_ONCE = 100
const TEXT_AT_ONCE = 4 * 1024 * 1024

export class ImportDiffers extends Error {
  override readonly name = 'ImportDiffers'
}

export async function importPractice(
  store: MovingStore,
  header: EntryOf<'practice'>,
  entries: () => Iterable<Entry>,
  imported: AuditEvent,
): Promise<Content> {
  const { db } = store
  await begin(store, header)
  try {
    const expected = await takeAll(store, header.id, entries())
    await compare(store, header.id, expected)
    await inPractice(db, header.id, async (write) => {
      await place(write, header.id, { state: 'open', moved_to: null })
      await appendAudit(write, header.id, imported)
    })
    return expected
  } catch (error) {
    await clearPractice(store, header.id)
    throw error
  }
}

async function begin({ db }: MovingStore, { id, name, plan, created_at, key_peppers, chain }: EntryOf<'practice'>) {
  await inPractice(db, id, async (write) => {
    await write
      .insertInto('practices')
      .values({ id, name, plan, created_at, state: 'arriving', key_peppers: sealed(JSON.stringify(key_peppers)) })
      .execute()
    await importChain(write, id, chain)
  })
}

async function takeAll(store: MovingStore, practice: string, entries: Iterable<Entry>): Promise<Content> {
  const operations = new Set<unknown>()
  let batch: Batch = { table: movingTables[0]!, rows: [], text: 0 }
  let hasForgotten = false
  const goOn = async (table: MovingTable | null): Promise<void> => {
    await insert(store, practice, batch)
    batch = { table: table ?? batch.table, rows: [], text: 0 }
    // Inserting records creates change entries, so delete those before inserting the ones from the file.
    if (!hasForgotten && (table === null || table.name === 'changes')) await forgetOwnChanges(store, practice)
    hasForgotten ||= table === null || table.name === 'changes'
  }
  for (const entry of entries) {
    if (entry.kind === 'row') {
      const table = movingTables.find(({ name }) => name === entry.table)
      if (table === undefined) throw new ImportDiffers()
      if (table.name === 'operations') operations.add(entry.row['id'])
      const isOwn =
        table.name === 'operation_pieces' ? operations.has(entry.row['operation_id']) : entry.row['practice_id'] === practice
      if (!isOwn) throw new ImportDiffers()
      if (table !== batch.table || batch.rows.length >= ROWS_AT_ONCE || batch.text >= TEXT_AT_ONCE) await goOn(table)
      batch.rows.push(entry.row)
      const { body } = entry.row
      batch.text += typeof body === 'string' ? body.length : 0
    }
    if (entry.kind === 'chunk') await store.blobs.put(entry.name, Buffer.from(entry.bytes, 'base64'))
    if (entry.kind === 'end') {
      await goOn(null)
      return { tables: entry.tables, chunks: entry.chunks }
    }
  }
  throw new ImportDiffers()
}

interface Batch {
  readonly table: MovingTable
  readonly rows: PortableRow[]
  text: number
}

async function insert({ db, columns }: MovingStore, practice: string, { table, rows }: Batch): Promise<void> {
  const stored = rows.map((row) => storable(table, row, practice, columns))
  await inPractice(db, practice, (write) => insertRows(write, table, stored))
}

async function forgetOwnChanges({ db }: MovingStore, practice: string): Promise<void> {
  await inPractice(db, practice, async (write) => {
    await write.deleteFrom('changes').where('practice_id', '=', practice).execute()
    await write.updateTable('practices').set({ last_change: 0 }).where('id', '=', practice).execute()
  })
}

async function compare(store: MovingStore, practice: string, expected: Content): Promise<void> {
  const found = await contentOf(store, practice)
  if (!isDeepStrictEqual(found, expected)) throw new ImportDiffers()
  const chain = await readSnapshot(store.db, practice, (read) => verifyAudit(read, practice))
  if (chain.broken_at !== null) throw new ImportDiffers()
}

/** Can be run again after an interruption. Leaves API keys and the practice row, so that callers can get the new address. */
export async function removeRecords(store: MovingStore, practice: string): Promise<void> {
  const { db, blobs } = store
  const found = await findPractice(db, practice)
  if (found?.state !== 'arriving' && found?.state !== 'removed') throw new Error('only a practice that is not served is removed')
  for (const id of await readSnapshot(db, practice, (read) => blobIds(read, practice))) await blobs.remove(id)
  await inPractice(db, practice, async (write) => {
    const own = write.selectFrom('operations').select('id').where('practice_id', '=', practice)
    await write.deleteFrom('model_installs').where('operation_id', 'in', own).execute()
    await write.deleteFrom('blobs_to_remove').where('practice_id', '=', practice).execute()
  })
  const [changes, ...rest] = movingTables.toReversed()
  // Delete changes last, because deleting records creates more of them.
  for (const table of [...rest.filter(({ name }) => name !== 'api_keys'), changes!]) await removeAll(store, table, practice)
  await inPractice(db, practice, async (write) => {
    await write.deleteFrom('audit_heads').where('practice_id', '=', practice).execute()
  })
}

export async function clearPractice(store: MovingStore, practice: string): Promise<void> {
  await removeRecords(store, practice)
  await removeAll(
    store,
    movingTables.find(({ name }) => name === 'api_keys')!,
    practice,
  )
  await inPractice(store.db, practice, async (write) => {
    await write.deleteFrom('practices').where('id', '=', practice).execute()
  })
}

async function removeAll({ db }: MovingStore, table: MovingTable, practice: string): Promise<void> {
  const some = (write: Write): Promise<boolean> => deleteSome(write, table, practice)
  while (await inPractice(db, practice, some));
}
