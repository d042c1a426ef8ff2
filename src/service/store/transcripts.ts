import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { NotFound } from '#service/kernel/problem.ts'
import type { BySession, Condition, Page } from './records.ts'
import { changesOf, getRecord, having, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'
import type { OperationRow } from './operations.ts'
import { inPractice } from './in-practice.ts'
import { sealed } from './sealed.ts'

export const getTranscript = (db: Database, practice: string, id: string): Promise<Transcript> =>
  getRecord(db, 'transcripts', practice, id)

/** Unparsed JSON, because parsing a long transcript would hold up other calls. */
export async function storedTranscript(
  db: Database,
  practice: string,
  id: string,
): Promise<{ readonly session_id: string | null; readonly body: string }> {
  const row = await db
    .selectFrom('transcripts')
    .select(['session_id', 'body', 'deleted_at'])
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new NotFound(id)
  if (row.deleted_at !== null) throw new AppError('gone')
  return { session_id: row.session_id, body: row.body }
}

export async function lastTranscriptOf(db: Database, practice: string, session: string): Promise<string | null> {
  const row = await db
    .selectFrom('transcripts')
    .select('id')
    .where('practice_id', '=', practice)
    .where('session_id', '=', session)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

export function listTranscripts(
  db: Database,
  practice: string,
  query: BySession,
  within: readonly Condition[] = [],
): Promise<Page<Transcript>> {
  const narrow = [...within, ...having('session_id', query.session_id)]
  if (query.client_id !== undefined)
    narrow.push(sql<SqlBool>`session_id in (select id from sessions where client_id = ${query.client_id})`)
  return pageOfRecords(db, 'transcripts', practice, query, narrow)
}

export async function insertTranscript(db: Write, practice: string, transcript: Transcript, author_id: string): Promise<void> {
  await db
    .insertInto('transcripts')
    .values({ ...rowOf(practice, transcript), ...columnsOf(transcript), author_id })
    .execute()
}

export async function updateTranscript(db: Write, practice: string, transcript: Transcript): Promise<void> {
  await db
    .updateTable('transcripts')
    .set({ ...changesOf(transcript), ...columnsOf(transcript) })
    .where('practice_id', '=', practice)
    .where('id', '=', transcript.id)
    .execute()
}

function columnsOf({ session_id, duration_ms }: Transcript) {
  return { session_id, duration_ms }
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
