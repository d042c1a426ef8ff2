import { inPractice, lookInPractice } from '../store/in-practice.ts'
import { findPractice } from '../store/practices.ts'
import type { Write } from '../store/tables.ts'
import type { MovingStore } from './export-practice.ts'
import { blobIds } from './export-practice.ts'
import { deleteSome } from './rows.ts'
import { movingTables } from './tables.ts'
import type { MovingTable } from './tables.ts'

/**
 * Removes all of a practice that is not served here, in small steps; whoever stops midway begins again. Its keys and its
 * row stay, so that callers still get its new address.
 */
export async function removeRecords(store: MovingStore, practice: string): Promise<void> {
  const { db, blobs } = store
  const found = await findPractice(db, practice)
  if (found?.state !== 'arriving' && found?.state !== 'removed') throw new Error('only a practice that is not served is removed')
  for (const id of await lookInPractice(db, practice, (read) => blobIds(read, practice))) await blobs.remove(id)
  await inPractice(db, practice, async (write) => {
    const own = write.selectFrom('operations').select('id').where('practice_id', '=', practice)
    await write.deleteFrom('model_installs').where('operation_id', 'in', own).execute()
    await write.deleteFrom('blobs_to_remove').where('practice_id', '=', practice).execute()
  })
  const [changes, ...rest] = movingTables.toReversed()
  // Removing records makes changes, so those go last.
  for (const table of [...rest.filter(({ name }) => name !== 'api_keys'), changes!]) await removeAll(store, table, practice)
  await inPractice(db, practice, async (write) => {
    await write.deleteFrom('audit_heads').where('practice_id', '=', practice).execute()
  })
}

/** The same without a trace. */
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
