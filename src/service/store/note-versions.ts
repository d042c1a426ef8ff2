import type { Note, NoteVersion } from '#contract/model/note.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

/** The note as it stands, beside whatever it becomes. */
export async function keepVersion(db: Write, practice: string, note: Note, now: string): Promise<void> {
  await db
    .insertInto('note_versions')
    .values({ practice_id: practice, note_id: note.id, version: note.version, kept_at: now, body: sealed(JSON.stringify(note)) })
    .execute()
}

/** Oldest first. */
export async function versionsOf(db: Database, practice: string, note_id: string): Promise<NoteVersion[]> {
  const rows = await db
    .selectFrom('note_versions')
    .select(['note_id', 'version', 'kept_at', 'body'])
    .where('practice_id', '=', practice)
    .where('note_id', '=', note_id)
    .orderBy('version')
    .execute()
  return rows.map(({ body, ...row }) => ({ ...row, note: JSON.parse(body) as Note }))
}
