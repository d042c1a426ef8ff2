import { sql, type SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import { NotFound } from '#service/kernel/problem.ts'
import { inPractice } from './in-practice.ts'
import type { OperationRow } from './operations.ts'
import { type BySession, type Condition, having, recordsIn, selectIn } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

export const {
  get: getTranscript,
  list: listTranscripts,
  insert: insertTranscript,
  put: putTranscript,
} = recordsIn('transcripts', {
  columns: ({ session_id, duration_ms }) => ({ session_id, duration_ms }),
  columnsOfNew: (_transcript, author_id: string) => ({ author_id }),
  narrow: ({ session_id, client_id }: BySession) => [
    ...having('session_id', session_id),
    ...(client_id === undefined ? [] : [sql<SqlBool>`session_id in (select id from sessions where client_id = ${client_id})`]),
  ],
})

/** Leaves the JSON of `body` unparsed, because parsing a long transcript would hold up other calls. */
export async function storedTranscript(db: Database, practice: string, id: string) {
  const select = selectIn(db, 'transcripts', practice).select(['session_id', 'body', 'deleted_at'])
  const row = await select.where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new NotFound(id)
  if (row.deleted_at !== null) throw new AppError('gone')
  return { session_id: row.session_id, body: row.body }
}

export async function lastTranscriptOf(db: Database, practice: string, session: string): Promise<string | null> {
  const found = selectIn(db, 'transcripts', practice).select('id').where('session_id', '=', session)
  const left = found.where('deleted_at', 'is', null)
  const row = await left.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? null
}

export const KEPT_FOR_MS = 24 * 3_600_000

export async function findPieces(db: Database, id: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('operation_pieces').select(['piece', 'answer']).where('operation_id', '=', id).execute()
  return new Map(rows.map(({ piece, answer }) => [piece, answer]))
}

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
  const failed = await selectIn(db, 'operations', practice_id)
    .select(['id', 'payload'])
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
  const rows = await db.selectFrom('operations').select('practice_id').distinct().where(isKeptFor(before)).execute()
  return rows.map(({ practice_id }) => practice_id)
}

export async function dropKeptPieces(db: Database, before: string): Promise<void> {
  const failed = db.selectFrom('operations').select('id').where(isKeptFor(before))
  await db.deleteFrom('operation_pieces').where('operation_id', 'in', failed).execute()
  await db.updateTable('operations').set({ payload: null }).where(isKeptFor(before)).execute()
}

const isKeptFor = (before: string): Condition =>
  sql<SqlBool>`(status = 'failed' and payload is not null and updated_at <= ${before})`
