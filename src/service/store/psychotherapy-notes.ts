import { open, seal } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'
import type { PsychotherapyNote } from '#contract/model/note.ts'
import { afterCursor, bytesOf, cursorFor, rowsOnPage } from './pages.ts'
import { conflictAsNotFound, type Page, type PageQuery, selectIn, updateIn } from './records.ts'
import type { Database, Tables, Write } from './tables.ts'
import { NotFound } from '#service/kernel/problem.ts'

export interface Author {
  readonly practice: string
  readonly person: string
}

type Row = Tables['psychotherapy_notes']
type Sealed = Pick<PsychotherapyNote, 'kind' | 'text'>

export async function getPsychotherapyNote(...asked: Parameters<typeof findPsychotherapyNote>): Promise<PsychotherapyNote> {
  const note = await findPsychotherapyNote(...asked)
  if (note === null) throw new NotFound(asked[3])
  return note
}

export async function findPsychotherapyNote(db: Database, key: Uint8Array, author: Author, id: string) {
  const row = await notesOfAuthor(db, author).selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  if (row.sealed === null) throw new AppError('gone')
  return opened(key, row, row.sealed)
}

export async function listPsychotherapyNotes(
  db: Database,
  key: Uint8Array,
  author: Author,
  { client_id, limit, cursor }: Pick<PageQuery, 'limit' | 'cursor'> & { readonly client_id: string },
): Promise<Page<PsychotherapyNote>> {
  let select = notesOfAuthor(db, author).where('client_id', '=', client_id).where('sealed', 'is not', null)
  for (const condition of afterCursor(cursor, 'created_at')) select = select.where(condition)
  const inOrder = select.orderBy('created_at').orderBy('id')
  const sizes = await inOrder
    .select(['id', 'created_at', bytesOf('sealed').as('bytes')])
    .limit(limit + 1)
    .execute()
  const count = rowsOnPage(sizes, limit)
  const last = sizes[count - 1]
  const ids = sizes.slice(0, count).map(({ id }) => id)
  const page = ids.length === 0 ? [] : await inOrder.selectAll().where('id', 'in', ids).execute()
  return {
    data: page.flatMap((row) => (row.sealed === null ? [] : [opened(key, row, row.sealed)])),
    next_cursor: sizes.length > count && last ? cursorFor('created_at', last.created_at, last.id) : null,
  }
}

export async function putPsychotherapyNote(db: Write, key: Uint8Array, practice: string, note: PsychotherapyNote): Promise<void> {
  const { text, kind, ...rest } = note
  // The kind is as sensitive as the text.
  const hidden = Buffer.from(JSON.stringify({ kind, text } satisfies Sealed), 'utf8')
  const sealed = seal(key, hidden, psychotherapyNoteBinding(practice, note))
  const row = { ...rest, practice_id: practice, sealed }
  if (note.version === 1) await conflictAsNotFound(db.insertInto('psychotherapy_notes').values(row).execute())
  else
    await updateIn(db, 'psychotherapy_notes', practice)
      .set(row)
      .where('author_id', '=', note.author_id)
      .where('id', '=', note.id)
      .execute()
}

export async function erasePsychotherapyNote(db: Write, { practice, person }: Author, id: string, now: string): Promise<void> {
  const mine = updateIn(db, 'psychotherapy_notes', practice).where('author_id', '=', person)
  await mine.set({ sealed: null, updated_at: now }).where('id', '=', id).execute()
}

export async function isPsychotherapyNoteTaken(db: Database, id: string): Promise<boolean> {
  return (await db.selectFrom('psychotherapy_notes').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

const notesOfAuthor = (db: Database, { practice, person }: Author) =>
  selectIn(db, 'psychotherapy_notes', practice).where('author_id', '=', person)

function opened(key: Uint8Array, row: Row, sealed: Uint8Array): PsychotherapyNote {
  const { practice_id, sealed: _sealed, ...rest } = row
  const bytes = open(key, sealed, psychotherapyNoteBinding(practice_id, row))
  if (bytes === null) throw new AppError('database-damaged')
  return { ...rest, ...(JSON.parse(bytes.toString('utf8')) as Sealed) }
}

/** Binds the ciphertext to practice, author, note, and version, so that no other ciphertext can replace it. */
export const psychotherapyNoteBinding = (
  practice: string,
  { id, author_id, version }: Pick<Row, 'id' | 'author_id' | 'version'>,
): Buffer => Buffer.from(`psychotherapy note ${practice} ${author_id} ${id} ${version}`)
