import type { BlobStore } from '../blobs/blobs.ts'
import { peppersIn } from '../store/api-keys.ts'
import { exportChain, readTail } from '../store/audit.ts'
import { lastChange } from '../store/changes.ts'
import { readSnapshot } from '../store/in-practice.ts'
import { migrations } from '../store/migrations.ts'
import type { Practice } from '../store/practices.ts'
import type { Database } from '../store/tables.ts'
import { type ColumnKeys, movingTables, portableRows } from './rows.ts'
import { createTally, type EntryOf, type Hashed, rowText, type TransferWriter } from './transfer-file.ts'

export interface MovingStore {
  readonly db: Database
  readonly blobs: BlobStore
  readonly columns: ColumnKeys
  readonly pepper: Uint8Array
}

export const schemaNow = (): number => migrations.at(-1)?.version ?? 0

export type Content = Pick<EntryOf<'end'>, 'tables' | 'chunks'>

export async function exportPractice(store: MovingStore, practice: Practice, file: TransferWriter): Promise<Content> {
  const { db } = store
  const before = await stateOf(db, practice.id)
  file.add(await header(store, practice))
  const content = await contentOf(store, practice.id, (entry) => file.add(entry))
  if ((await stateOf(db, practice.id)) !== before) throw new PracticeChanged()
  file.add({ kind: 'end', ...content })
  return content
}

export class PracticeChanged extends Error {
  override readonly name = 'PracticeChanged'
}

async function header({ db, pepper }: MovingStore, { id, name, plan, created_at }: Practice): Promise<EntryOf<'practice'>> {
  const { chain, peppers } = await readSnapshot(db, id, async (read) => ({
    chain: await exportChain(read, id),
    peppers: await read.selectFrom('practices').select('key_peppers').where('id', '=', id).executeTakeFirstOrThrow(),
  }))
  return {
    kind: 'practice',
    schema: schemaNow(),
    id,
    name,
    plan,
    created_at,
    exported_at: new Date().toISOString(),
    key_peppers: [pepper, ...peppersIn(peppers.key_peppers)].map((each) => Buffer.from(each).toString('base64')),
    chain: { earlier: [...chain.earlier] },
  }
}

type Each = (entry: EntryOf<'row'> | EntryOf<'chunk'>) => void

export async function contentOf(store: MovingStore, practice: string, each?: Each): Promise<Content> {
  const tables: Record<string, Hashed> = {}
  for (const table of movingTables) {
    const tally = createTally()
    for await (const row of portableRows(store.db, table, practice, store.columns)) {
      tally.add(rowText(row))
      each?.({ kind: 'row', table: table.name, row })
    }
    tables[table.name] = tally.sum()
  }
  return { tables, chunks: await chunksOf(store, practice, each) }
}

async function chunksOf({ db, blobs }: MovingStore, practice: string, each?: Each): Promise<Hashed> {
  const tally = createTally()
  for (const id of await readSnapshot(db, practice, (read) => blobIds(read, practice))) {
    for (const { name } of await blobs.list(id)) {
      const bytes = await blobs.get(name)
      if (bytes === null) throw new PracticeChanged()
      tally.add(name)
      tally.add(bytes)
      each?.({ kind: 'chunk', name, bytes: Buffer.from(bytes).toString('base64') })
    }
  }
  return tally.sum()
}

export async function blobIds(read: Database, practice: string): Promise<string[]> {
  const rows = await read
    .selectFrom('uploads')
    .select('id')
    .where('practice_id', '=', practice)
    .where('sealed_key', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function stateOf(db: Database, practice: string): Promise<string> {
  return readSnapshot(db, practice, async (read) => {
    const { last } = await readTail(read, practice)
    return `${last.seq} ${await lastChange(read, practice)}`
  })
}
