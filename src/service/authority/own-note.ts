import type { Note } from '#contract/model/note.ts'
import type { Call } from '../handler.ts'
import type { Database } from '../store/tables.ts'

/** Whose the note is to sign: of who held the session, else of the client's clinician, else of who wrote it. */
export async function isOwnNote(
  db: Database,
  { practice, caller }: Pick<Call, 'practice' | 'caller'>,
  note: Note,
): Promise<boolean> {
  const row = await db
    .selectFrom('notes')
    .leftJoin('sessions', 'sessions.id', 'notes.session_id')
    .leftJoin('clients', 'clients.id', 'notes.client_id')
    .select(['notes.author_id', 'sessions.clinician_id as held_by', 'clients.clinician_id as treated_by'])
    .where('notes.practice_id', '=', practice)
    .where('notes.id', '=', note.id)
    .executeTakeFirst()
  return (row?.held_by ?? row?.treated_by ?? row?.author_id) === caller.person_id
}
