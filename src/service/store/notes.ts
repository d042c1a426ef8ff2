import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { Note } from '#contract/model/note.ts'
import type { BySession, Condition, Page } from './records.ts'
import { changesOf, findRecord, getRecord, having, normalTime, pageOfRecords, rowOf } from './records.ts'
import { sweepAt } from './retention.ts'
import type { Database, Write } from './tables.ts'

export const getNote = async (db: Database, practice: string, id: string): Promise<Note> =>
  savable(await getRecord(db, 'notes', practice, id))

export async function findNote(db: Database, practice: string, id: string): Promise<Note | null> {
  const note = await findRecord<Note>(db, 'notes', practice, id)
  return note && savable(note)
}

export async function listNotes(
  db: Database,
  practice: string,
  query: BySession,
  within: readonly Condition[] = [],
): Promise<Page<Note>> {
  const page = await pageOfRecords<Note>(db, 'notes', practice, query, [
    ...within,
    ...having('session_id', query.session_id),
    ...having('client_id', query.client_id),
  ])
  return { ...page, data: page.data.map(savable) }
}

/**
 * Drafts of older versions can exceed the paragraph limit and could not be saved again, so their text is cut. Signed text is
 * never changed.
 */
function savable(note: Note): Note {
  if (note.signature !== null) return note
  const fitting = <Part extends { text: string }>(part: Part): Part =>
    part.text.length > MAX_PARAGRAPH ? { ...part, text: cutText(part.text, MAX_PARAGRAPH) } : part
  return {
    ...note,
    sections: note.sections.map((section) => ({ ...section, statements: section.statements.map(fitting) })),
    omissions: note.omissions.map(fitting),
    unsupported: note.unsupported.map(fitting),
  }
}

/** @param author_id owner of a note that names neither session nor client */
export async function insertNote(db: Write, practice: string, note: Note, author_id: string): Promise<void> {
  await db
    .insertInto('notes')
    .values({ ...rowOf(practice, note), ...columnsOf(note), author_id })
    .execute()
}

export async function updateNote(db: Write, practice: string, note: Note): Promise<void> {
  await db
    .updateTable('notes')
    .set({ ...changesOf(note), ...columnsOf(note) })
    .where('practice_id', '=', practice)
    .where('id', '=', note.id)
    .execute()
  // Closing a note can make its session's transcript due for erasure.
  if (!openStatuses.includes(note.status)) await sweepAt(db, practice, note.updated_at)
}

const openStatuses: readonly Note['status'][] = ['draft', 'in_review', 'returned', 'awaiting_cosign']

const signedStatuses: readonly Note['status'][] = ['signed', 'awaiting_cosign', 'cosigned', 'amended']

function columnsOf(note: Note) {
  const { session_id, client_id, signature, status } = note
  const signed_at = signature === null || !signedStatuses.includes(status) ? null : normalTime(signature.at)
  return { session_id, client_id, signed_at }
}
