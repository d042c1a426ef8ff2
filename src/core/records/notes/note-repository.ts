import type { NoteStep } from '#contract/bridge/notes.ts'
import type { Note } from '#contract/model/note.ts'
import { toCheck } from '#domain/note-review.ts'
import { isEmptyNote } from '#domain/note-sections.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { createNoteVersions } from './note-versions.ts'
import { jsonRows, serviceVersions } from '#core/records/rows.ts'

export type SessionNote = Note & { session_id: string; client_id: string }

export type NoteRepository = ReturnType<typeof createNoteRepository>

const fields = `id, session_id, client_id, template, status, sections, unsupported, omissions, checks, engine, signature, addenda,
  redacted, created_at, updated_at, version`
const columns = fields.split(/,\s+/)
const rows = jsonRows<SessionNote>([
  'sections',
  'unsupported',
  'omissions',
  'checks',
  'engine',
  'signature',
  'addenda',
  'redacted',
])

export function createNoteRepository(db: Sqlite) {
  const versions = createNoteVersions(db)
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
    insert into notes (${fields}, to_check, service_version, drafted_from)
    values (${columns.map((name) => `@${name}`).join(', ')}, @to_check, @service_version, @drafted_from)`)
  const source = db.prepare('select drafted_from from notes where id = ?').pluck()
  const setSource = db.prepare(`
    update notes set drafted_from = coalesce(@said, (select id || ' ' || version from transcripts where session_id = @session_id))
    where session_id = @session_id`)
  const outdated = db.prepare(`
    select 1 from notes join transcripts using (session_id)
    where session_id = ? and signature is null and drafted_from <> transcripts.id || ' ' || transcripts.version`)
  const changing = ['template', 'status', 'sections', 'omissions', 'signature', 'addenda', 'updated_at', 'version', 'to_check']
  const update = db.prepare(`update notes set ${changing.map((name) => `${name} = @${name}`).join(', ')} where id = @id`)
  return {
    ofSession: (sessionId: string) => fromRow(bySession.get(sessionId)),
    find: (id: string) => fromRow(byId.get(id)),
    signedBefore(sessionId: string, most: number) {
      const rows = before.all({ session: sessionId, most }) as ({ starts_at: string } & Record<string, unknown>)[]
      return rows.map(({ starts_at, ...row }) => ({ note: fromRow(row)!, starts_at }))
    },
    replace(note: SessionNote, serviceVersion: number | null): void {
      const drafted_from = source.get(note.id) ?? null
      const isReplaced = byId.get(note.id) !== undefined
      remove.run(note.session_id)
      insert.run({ ...toRow(note), service_version: serviceVersion, drafted_from })
      const written = note.engine.name === 'typed' ? 'started' : 'drafted'
      versions.add(note, note.signature !== null ? 'signed' : isReplaced ? 'received' : written)
    },
    /** @param said id and version of the transcript, if it is not the present one */
    setSource: (session_id: string, said: string | null = null): void => void setSource.run({ session_id, said }),
    isOutdated: (sessionId: string): boolean => outdated.get(sessionId) !== undefined,
    update(note: SessionNote, step: NoteStep): void {
      update.run(toRow(note))
      versions.add(note, step)
    },
    versions,
    ...serviceVersions(db, 'notes'),
  }
}

/** An empty note counts as one thing to check, so that no list offers to sign it. */
const toRow = (note: SessionNote) => ({ ...rows.toRow(note), to_check: isEmptyNote(note) ? 1 : toCheck(note).total })

function fromRow(row: unknown): SessionNote | null {
  const stored = rows.fromRow(row)
  if (stored === null) return null
  const { redacted, ...note } = stored
  return redacted == null ? note : stored
}
