import type { Note, NoteVersion } from '#contract/model/note.ts'
import { bytesOf, rowsOnPage } from './page-budget.ts'
import type { Page, PageQuery } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

/** Saves a copy of a note before the note changes. */
export async function keepVersion(db: Write, practice: string, note: Note, now: string): Promise<void> {
  await db
    .insertInto('note_versions')
    .values({ practice_id: practice, note_id: note.id, version: note.version, kept_at: now, body: sealed(JSON.stringify(note)) })
    .execute()
}

async function versionsOf(db: Database, practice: string, note_id: string): Promise<NoteVersion[]> {
  const rows = await db
    .selectFrom('note_versions')
    .select(['note_id', 'version', 'kept_at', 'body'])
    .where('practice_id', '=', practice)
    .where('note_id', '=', note_id)
    .orderBy('version')
    .execute()
  return rows.map(({ body, ...row }) => ({ ...row, note: JSON.parse(body) as Note }))
}

/** Oldest first; the cursor is the last version of the previous page. */
export async function pageOfVersions(
  db: Database,
  practice: string,
  note_id: string,
  { limit, cursor = '0' }: Pick<PageQuery, 'limit' | 'cursor'>,
): Promise<Page<NoteVersion>> {
  const inOrder = db
    .selectFrom('note_versions')
    .where('practice_id', '=', practice)
    .where('note_id', '=', note_id)
    .where('version', '>', Number(cursor))
    .orderBy('version')
  const sizes = await inOrder
    .select(bytesOf('body').as('bytes'))
    .limit(limit + 1)
    .execute()
  const count = rowsOnPage(sizes, limit)
  const rows = await inOrder.select(['note_id', 'version', 'kept_at', 'body']).limit(count).execute()
  const data = rows.map(({ body, ...row }) => ({ ...row, note: JSON.parse(body) as Note }))
  return { data, next_cursor: sizes.length > count ? String(data.at(-1)?.version ?? cursor) : null }
}

export async function changeVersions(db: Write, practice: string, note_id: string, change: (kept: Note) => Note): Promise<void> {
  for (const { version, note } of await versionsOf(db, practice, note_id)) {
    await db
      .updateTable('note_versions')
      .set({ body: sealed(JSON.stringify(change(note))) })
      .where('practice_id', '=', practice)
      .where('note_id', '=', note_id)
      .where('version', '=', version)
      .execute()
  }
}

export async function dropVersions(db: Write, practice: string, note_id: string): Promise<void> {
  await db.deleteFrom('note_versions').where('practice_id', '=', practice).where('note_id', '=', note_id).execute()
}
