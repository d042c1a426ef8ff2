import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { Note, NoteVersion } from '#contract/model/note.ts'
import { ownTemplateId, type OwnTemplate, type Template } from '#contract/model/template.ts'
import type { BySession, Condition, Page, PageQuery } from './records.ts'
import { changesOf, findRecord, getRecord, having, normalTime, pageOfRecords, rowOf } from './records.ts'
import { sweepAt } from './retention.ts'
import type { Database, Write } from './tables.ts'
import { bytesOf, rowsOnPage } from './pages.ts'
import { sealed } from './sealed.ts'

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

/** Drafts of older versions can exceed the paragraph limit and could not be saved again. Signed text is never changed. */
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

export const getTemplate = (db: Database, practice: string, id: string): Promise<OwnTemplate> =>
  getRecord(db, 'templates', practice, id)
export const findTemplate = (db: Database, practice: string, id: string): Promise<OwnTemplate | null> =>
  findRecord(db, 'templates', practice, id)
export const listTemplates = (db: Database, practice: string, query: PageQuery): Promise<Page<OwnTemplate>> =>
  pageOfRecords(db, 'templates', practice, query)

export async function ownTemplateOf(db: Database, practice: string, template: Template): Promise<OwnTemplate | null> {
  const id = ownTemplateId(template)
  return id === null ? null : getTemplate(db, practice, id)
}

export async function insertTemplate(db: Write, practice: string, template: OwnTemplate): Promise<void> {
  await db.insertInto('templates').values(rowOf(practice, template)).execute()
}

export async function updateTemplate(db: Write, practice: string, template: OwnTemplate): Promise<void> {
  await db
    .updateTable('templates')
    .set(changesOf(template))
    .where('practice_id', '=', practice)
    .where('id', '=', template.id)
    .execute()
}
