import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { NotFound } from '#service/kernel/not-found.ts'
import type { BySession, Condition, Page } from './records.ts'
import { changesOf, getRecord, having, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export const getTranscript = (db: Database, practice: string, id: string): Promise<Transcript> =>
  getRecord(db, 'transcripts', practice, id)

/**
 * Returns the body as unparsed JSON, because parsing a long transcript would hold up other calls.
 *
 * @throws AppError `not-found`, `gone`
 */
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

/** @param author_id owner of a transcript that names no session */
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
