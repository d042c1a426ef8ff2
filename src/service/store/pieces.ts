import type { OperationRow } from './operations.ts'
import { inPractice } from './in-practice.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

/** How long what was heard waits for being asked for again. */
export const KEPT_FOR_MS = 24 * 3_600_000

export async function findPieces(db: Database, id: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('operation_pieces').select(['piece', 'answer']).where('operation_id', '=', id).execute()
  return new Map(rows.map(({ piece, answer }) => [piece, answer]))
}

/** Work that gets further does not bring the process down: its starts are counted anew. */
export async function keepPiece(
  db: Database,
  { id, practice_id }: Pick<OperationRow, 'id' | 'practice_id'>,
  piece: number,
  text: string,
): Promise<void> {
  const answer = sealed(text)
  await inPractice(db, practice_id, async (write) => {
    await write
      .insertInto('operation_pieces')
      .values({ operation_id: id, piece, answer })
      .onConflict((conflict) => conflict.columns(['operation_id', 'piece']).doUpdateSet({ answer }))
      .execute()
    await write.updateTable('operations').set({ attempts: 0 }).where('id', '=', id).execute()
  })
}

/** Goes on where the same question was given up last: same sound, same engine, same wishes. */
export async function takeOverPieces(
  db: Write,
  { id, practice_id, payload }: Pick<OperationRow, 'id' | 'practice_id' | 'payload'>,
): Promise<void> {
  const failed = await db
    .selectFrom('operations')
    .select(['id', 'payload'])
    .where('practice_id', '=', practice_id)
    .where('kind', '=', 'transcribe')
    .where('status', '=', 'failed')
    .where('payload', 'is not', null)
    .orderBy('updated_at', 'desc')
    .execute()
  // Compared here: what is sealed reads differently each time.
  const before = failed.find((row) => row.payload === payload)
  if (before === undefined) return
  await db.updateTable('operation_pieces').set({ operation_id: id }).where('operation_id', '=', before.id).execute()
  await db.updateTable('operations').set({ payload: null }).where('id', '=', before.id).execute()
}

/** Practices with pieces whose time was over at this moment. */
export async function practicesWithOldPieces(db: Database, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom('operations')
    .select('practice_id')
    .distinct()
    .where('status', '=', 'failed')
    .where('payload', 'is not', null)
    .where('updated_at', '<=', before)
    .execute()
  return rows.map(({ practice_id }) => practice_id)
}

/** Lets go what was heard by work that failed before this time. */
export async function dropKeptPieces(db: Database, before: string): Promise<void> {
  const failed = db
    .selectFrom('operations')
    .select('id')
    .where('status', '=', 'failed')
    .where('payload', 'is not', null)
    .where('updated_at', '<=', before)
  await db.deleteFrom('operation_pieces').where('operation_id', 'in', failed).execute()
  await db
    .updateTable('operations')
    .set({ payload: null })
    .where('status', '=', 'failed')
    .where('payload', 'is not', null)
    .where('updated_at', '<=', before)
    .execute()
}
