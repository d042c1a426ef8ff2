import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { Note, NoteVersion } from '#contract/model/note.ts'
import { bytesOf, rowsOnPage } from './pages.ts'
import type { BySession, Page, PageQuery } from './records.ts'
import { deleteIn, having, normalTime, recordsIn, selectIn, updateIn } from './records.ts'
import { sweepAt } from './retention.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

const signedStatuses: readonly Note['status'][] = ['signed', 'awaiting_cosign', 'cosigned', 'amended']

const notes = recordsIn('notes', {
  columns: ({ session_id, client_id, signature, status }) => {
    const signed_at = signature === null || !signedStatuses.includes(status) ? null : normalTime(signature.at)
    return { session_id, client_id, signed_at }
  },
  columnsOfNew: (_note, author_id: string) => ({ author_id }),
  narrow: ({ session_id, client_id }: BySession) => [...having('session_id', session_id), ...having('client_id', client_id)],
})
export const { insert: insertNote } = notes

export const getNote = async (db: Database, practice: string, id: string): Promise<Note> =>
  savable(await notes.get(db, practice, id))

export async function findNote(db: Database, practice: string, id: string): Promise<Note | null> {
  const note = await notes.find(db, practice, id)
  return note && savable(note)
}

export async function listNotes(...asked: Parameters<typeof notes.list>): Promise<Page<Note>> {
  const page = await notes.list(...asked)
  return { ...page, data: page.data.map(savable) }
}

/** Older versions allowed longer paragraphs. Shortens those of notes without a signature, so that the notes can be saved. */
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

export async function updateNote(db: Write, practice: string, note: Note): Promise<void> {
  await notes.update(db, practice, note)
  if (!openStatuses.includes(note.status)) await sweepAt(db, practice, note.updated_at)
}

export const putNote = (db: Write, practice: string, note: Note, author: string): Promise<void> =>
  note.version === 1 ? notes.put(db, practice, note, author) : updateNote(db, practice, note)

const openStatuses: readonly Note['status'][] = ['draft', 'in_review', 'returned', 'awaiting_cosign']

export async function keepVersion(db: Write, practice: string, note: Note, now: string): Promise<void> {
  const { id: note_id, version } = note
  const row = { practice_id: practice, note_id, version, kept_at: now, body: sealed(JSON.stringify(note)) }
  await db.insertInto('note_versions').values(row).execute()
}

const versionColumns = ['note_id', 'version', 'kept_at', 'body'] as const
const versionOf = ({ body, ...row }: Omit<NoteVersion, 'note'> & { readonly body: string }): NoteVersion => ({
  ...row,
  note: JSON.parse(body) as Note,
})

export async function pageOfVersions(
  db: Database,
  practice: string,
  note_id: string,
  { limit, cursor = '0' }: Pick<PageQuery, 'limit' | 'cursor'>,
): Promise<Page<NoteVersion>> {
  const after = selectIn(db, 'note_versions', practice).where('note_id', '=', note_id).where('version', '>', Number(cursor))
  const inOrder = after.orderBy('version')
  const sizes = await inOrder
    .select(bytesOf('body').as('bytes'))
    .limit(limit + 1)
    .execute()
  const count = rowsOnPage(sizes, limit)
  const data = (await inOrder.select(versionColumns).limit(count).execute()).map(versionOf)
  return { data, next_cursor: sizes.length > count ? String(data.at(-1)?.version ?? cursor) : null }
}

export async function changeVersions(db: Write, practice: string, note_id: string, change: (kept: Note) => Note): Promise<void> {
  const kept = selectIn(db, 'note_versions', practice).select(versionColumns).where('note_id', '=', note_id)
  for (const { version, note } of (await kept.orderBy('version').execute()).map(versionOf)) {
    const body = sealed(JSON.stringify(change(note)))
    const one = updateIn(db, 'note_versions', practice).where('note_id', '=', note_id).where('version', '=', version)
    await one.set({ body }).execute()
  }
}

export async function dropVersions(db: Write, practice: string, note_id: string): Promise<void> {
  await deleteIn(db, 'note_versions', practice).where('note_id', '=', note_id).execute()
}

export const { get: getTemplate, find: findTemplate, list: listTemplates, put: putTemplate } = recordsIn('templates')
