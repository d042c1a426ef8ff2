import type { Note } from '#contract/model/note.ts'
import { toCheck } from '#domain/note-review.ts'
import type { Sqlite } from '#base/sqlite.ts'

export type SessionNote = Note & { session_id: string; client_id: string }

export interface NoteRepository {
  ofSession(sessionId: string): SessionNote | null
  find(id: string): SessionNote | null
  signedBefore(sessionId: string, most: number): { readonly note: SessionNote; readonly starts_at: string }[]
  replace(note: SessionNote, serviceVersion: number | null): void
  update(note: SessionNote): void
  serviceVersion(id: string): number | null
  keepServiceVersion(id: string, version: number): void
}

const columns = [
  'id',
  'session_id',
  'client_id',
  'template',
  'status',
  'sections',
  'unsupported',
  'omissions',
  'checks',
  'engine',
  'signature',
  'addenda',
  'redacted',
  'created_at',
  'updated_at',
  'version',
] as const
const jsonColumns = ['sections', 'unsupported', 'omissions', 'checks', 'engine', 'signature', 'addenda', 'redacted'] as const

export function createNoteRepository(db: Sqlite): NoteRepository {
  const fields = columns.join(', ')
  const bySession = db.prepare(`select ${fields} from notes where session_id = ?`)
  const byId = db.prepare(`select ${fields} from notes where id = ?`)
  const before = db.prepare(`
    select ${columns.map((name) => `notes.${name}`).join(', ')}, sessions.starts_at
    from notes join sessions on sessions.id = notes.session_id
    where notes.client_id = (select client_id from sessions where id = @session) and notes.session_id <> @session
      and notes.signature is not null and sessions.starts_at <= (select starts_at from sessions where id = @session)
    order by sessions.starts_at desc limit @most`)
  const remove = db.prepare('delete from notes where session_id = ?')
  const insert = db.prepare(`
    insert into notes (${fields}, to_check, service_version)
    values (${columns.map((name) => `@${name}`).join(', ')}, @to_check, @service_version)`)
  const changing = ['status', 'sections', 'omissions', 'signature', 'addenda', 'updated_at', 'version', 'to_check']
  const update = db.prepare(`update notes set ${changing.map((name) => `${name} = @${name}`).join(', ')} where id = @id`)
  const readVersion = db.prepare('select service_version from notes where id = ?').pluck()
  const keepVersion = db.prepare('update notes set service_version = ? where id = ?')
  return {
    ofSession: (sessionId) => fromRow(bySession.get(sessionId)),
    find: (id) => fromRow(byId.get(id)),
    signedBefore(sessionId, most) {
      const rows = before.all({ session: sessionId, most }) as ({ starts_at: string } & Record<string, unknown>)[]
      return rows.map(({ starts_at, ...row }) => ({ note: fromRow(row)!, starts_at }))
    },
    replace(note, serviceVersion) {
      remove.run(note.session_id)
      insert.run({ ...toRow(note), service_version: serviceVersion })
    },
    update: (note): void => void update.run(toRow(note)),
    serviceVersion: (id) => (readVersion.get(id) as number | null | undefined) ?? null,
    keepServiceVersion: (id, version): void => void keepVersion.run(version, id),
  }
}

function toRow(note: SessionNote): Record<string, unknown> {
  const json = jsonColumns.map((name) => [name, (note[name] ?? null) === null ? null : JSON.stringify(note[name])])
  return { ...note, ...Object.fromEntries(json), to_check: toCheck(note).total }
}

function fromRow(row: unknown): SessionNote | null {
  if (row === undefined) return null
  const stored = row as Record<string, unknown>
  const json = jsonColumns.map((name) => [name, stored[name] === null ? null : JSON.parse(stored[name] as string)])
  const { redacted, ...note } = { ...stored, ...Object.fromEntries(json) } as SessionNote
  return redacted == null ? note : { ...note, redacted }
}
