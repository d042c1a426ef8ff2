import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Note } from '#contract/model/note.ts'
import type { Page, PageQuery } from './records.ts'
import { bodyOf, findRecord, getRecord, pageOfRecords } from './records.ts'
import type { Database, Write } from './tables.ts'

export interface BySession extends PageQuery {
  readonly session_id?: string | undefined
  readonly client_id?: string | undefined
}

export const getNote = (db: Database, practice: string, id: string): Promise<Note> => getRecord(db, 'notes', practice, id)
export const findNote = (db: Database, practice: string, id: string): Promise<Note | null> =>
  findRecord(db, 'notes', practice, id)

export function listNotes(db: Database, practice: string, query: BySession): Promise<Page<Note>> {
  const narrow = []
  if (query.session_id !== undefined) narrow.push(sql<SqlBool>`session_id = ${query.session_id}`)
  if (query.client_id !== undefined) narrow.push(sql<SqlBool>`client_id = ${query.client_id}`)
  return pageOfRecords(db, 'notes', practice, query, narrow)
}

export async function insertNote(db: Write, practice: string, note: Note): Promise<void> {
  const { id, created_at, updated_at, version } = note
  await db
    .insertInto('notes')
    .values({
      id,
      practice_id: practice,
      created_at,
      updated_at,
      version,
      deleted_at: null,
      body: bodyOf(note),
      ...columnsOf(note),
    })
    .execute()
}

export async function updateNote(db: Write, practice: string, note: Note): Promise<void> {
  const { updated_at, version } = note
  await db
    .updateTable('notes')
    .set({ updated_at, version, body: bodyOf(note), ...columnsOf(note) })
    .where('practice_id', '=', practice)
    .where('id', '=', note.id)
    .execute()
}

function columnsOf(note: Note): { session_id: string | null; client_id: string | null } {
  return { session_id: note.session_id, client_id: note.client_id }
}
