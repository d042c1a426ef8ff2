import type { NoteStep, NoteVersion } from '#contract/bridge/notes.ts'
import type { Note } from '#contract/model/note.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { jsonRows } from '#core/records/rows.ts'

type StoredVersion = NoteVersion & Pick<Note, 'omissions'> & { readonly note_id: string; readonly session_id: string }

/** Edits that begin within this time are one version. */
const ONE_EDIT_MS = 10 * 60_000
const MAX_VERSIONS = 50
const fields = 'session_id, note_id, step, by, begun_at, at, template, sections, omissions'
const rows = jsonRows<StoredVersion>(['sections', 'omissions'])

export function createNoteVersions(db: Sqlite) {
  const all = db.prepare(`select number, ${fields} from note_versions where session_id = ? order by number desc`)
  const names = fields.split(', ').map((name) => `@${name}`)
  const insert = db.prepare(`insert into note_versions (${fields}) values (${names.join(', ')})`)
  const remove = db.prepare('delete from note_versions where number = ?')
  const forget = db.prepare('delete from note_versions where session_id = ?')
  const ofSession = (sessionId: string) => all.all(sessionId).map((row) => rows.fromRow(row)!)
  return {
    /** Newest first. */
    ofSession,
    forget: (sessionId: string): void => void forget.run(sessionId),
    /** Call in the transaction that stores the note. */
    add({ id: note_id, ...note }: Note & { session_id: string }, step: NoteStep): void {
      const { session_id, updated_at: at, template, sections, omissions, signature, addenda } = note
      const [last, ...older] = ofSession(session_id)
      const isSame = last?.note_id === note_id && last.step === 'edited' && step === 'edited'
      const begun_at = isSame && Date.parse(at) - Date.parse(last.begun_at) < ONE_EDIT_MS ? last.begun_at : at
      if (isSame && begun_at === last.begun_at) remove.run(last.number)
      for (const { number } of older.slice(MAX_VERSIONS - 2)) remove.run(number)
      const by = step === 'addendum' ? (addenda.at(-1)?.by ?? null) : step === 'signed' ? (signature?.by ?? null) : null
      insert.run({ ...rows.toRow({ number: 0, session_id, note_id, step, by, begun_at, at, template, sections, omissions }) })
    },
  }
}
