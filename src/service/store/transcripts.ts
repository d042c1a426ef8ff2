import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Page, PageQuery } from './records.ts'
import { bodyOf, findRecord, getRecord, pageOfRecords } from './records.ts'
import type { Database, Write } from './tables.ts'

export interface BySession extends PageQuery {
  readonly session_id?: string | undefined
  readonly client_id?: string | undefined
}

export const getTranscript = (db: Database, practice: string, id: string): Promise<Transcript> =>
  getRecord(db, 'transcripts', practice, id)
export const findTranscript = (db: Database, practice: string, id: string): Promise<Transcript | null> =>
  findRecord(db, 'transcripts', practice, id)

export function listTranscripts(db: Database, practice: string, query: BySession): Promise<Page<Transcript>> {
  const narrow = []
  if (query.session_id !== undefined) narrow.push(sql<SqlBool>`session_id = ${query.session_id}`)
  if (query.client_id !== undefined)
    narrow.push(sql<SqlBool>`session_id in (select id from sessions where client_id = ${query.client_id})`)
  return pageOfRecords(db, 'transcripts', practice, query, narrow)
}

export async function insertTranscript(db: Write, practice: string, transcript: Transcript): Promise<void> {
  const { id, created_at, updated_at, version } = transcript
  await db
    .insertInto('transcripts')
    .values({
      id,
      practice_id: practice,
      created_at,
      updated_at,
      version,
      deleted_at: null,
      body: bodyOf(transcript),
      ...columnsOf(transcript),
    })
    .execute()
}

export async function updateTranscript(db: Write, practice: string, transcript: Transcript): Promise<void> {
  const { updated_at, version } = transcript
  await db
    .updateTable('transcripts')
    .set({ updated_at, version, body: bodyOf(transcript), ...columnsOf(transcript) })
    .where('practice_id', '=', practice)
    .where('id', '=', transcript.id)
    .execute()
}

function columnsOf(transcript: Transcript): { session_id: string | null } {
  return { session_id: transcript.session_id }
}
