import type { OperationRow } from './operations.ts'
import { inPractice } from './in-practice.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

/** Milliseconds for which the pieces of a failed transcription stay for a retry. */
export const KEPT_FOR_MS = 24 * 3_600_000

export async function findPieces(db: Database, id: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('operation_pieces').select(['piece', 'answer']).where('operation_id', '=', id).execute()
  return new Map(rows.map(({ piece, answer }) => [piece, answer]))
}

/** Stores a piece and resets the start count, because progress shows that the operation is not crashing the process. */
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

/** Reuses the pieces of the last failed operation with the same payload, which means the same audio, engine, and options. */
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
  // Compared in memory, because sealing the same text twice gives different values.
  const before = failed.find((row) => row.payload === payload)
  if (before === undefined) return
  await db.updateTable('operation_pieces').set({ operation_id: id }).where('operation_id', '=', before.id).execute()
  await db.updateTable('operations').set({ payload: null }).where('id', '=', before.id).execute()
}

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
