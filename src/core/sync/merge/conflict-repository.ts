import type { ConflictChoice, ConflictKind } from '#contract/bridge/conflicts.ts'
import type { Note, NoteSection } from '#contract/model/note.ts'
import type { ScheduleConflict, ScheduleProposal } from '#contract/model/schedule.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { MergedKind } from './common.ts'
import { isSame, type Fields } from '#core/outbox/three-way.ts'
import { AppError } from '#contract/errors.ts'

export type Document = Note | Transcript | OwnTemplate

/** In a `fields` conflict, this laptop's side is in the record itself until the conflict is resolved. */
export interface ConflictBodies {
  fields: {
    names: readonly string[]
    theirs: Fields
    theirs_at: string
    combined: readonly string[]
    combined_here?: readonly string[]
    mine?: Fields
    mine_at?: string
  }
  document: { mine: Document; theirs: Document }
  erased: { erased_at: string }
  booking: { reasons: readonly ScheduleConflict[]; proposals: readonly ScheduleProposal[] }
}

interface About {
  readonly record_kind: MergedKind
  readonly record_id: string
  readonly client_id: string | null
  readonly session_id: string | null
}
type OfKind<Kind extends ConflictKind> = About & { readonly kind: Kind; readonly body: ConflictBodies[Kind] }
export type FoundConflict = { [Kind in ConflictKind]: OfKind<Kind> }[ConflictKind]
export type StoredConflict = FoundConflict & {
  readonly id: string
  readonly version: number
  readonly found_at: string
  readonly resolved_at: string | null
  readonly choice: string | null
}

export type ConflictRepository = ReturnType<typeof createConflictRepository>

const fields = 'id, kind, record_kind, record_id, client_id, session_id, version, body, found_at, resolved_at, choice'

const MAX_DECIDED = 200

export function createConflictRepository(db: Sqlite, clock: Clock) {
  const statements = prepare(db)
  const open = (kind: MergedKind, id: string): StoredConflict | null => fromRow(statements.open.get(kind, id))
  return {
    find: (id: string) => fromRow(statements.find.get(id)),
    open,
    /** True if a conflict must be resolved before the record is sent. A `booking` conflict doesn't count. */
    isAsked: (kind: MergedKind, id: string) => (open(kind, id)?.kind ?? 'booking') !== 'booking',
    listOpen: () => statements.list.all().map((row) => fromRow(row)!),
    listDecided: () => statements.decided.all().map((row) => fromRow(row)!),
    freeze: ({ id, body }: StoredConflict): void => void statements.freeze.run(JSON.stringify(body), id),
    found(conflict: FoundConflict): void {
      const known = open(conflict.record_kind, conflict.record_id)
      const body = JSON.stringify(conflict.body)
      if (known === null) statements.insert.run({ ...conflict, body, id: newId(clock), found_at: timestamp(clock) })
      else if (known.kind !== conflict.kind || !isSame(known.body, JSON.parse(body)))
        statements.change.run(conflict.kind, body, known.id)
    },
    resolve: (id: string, choice: unknown): void => void statements.resolve.run(timestamp(clock), JSON.stringify(choice), id),
    count: () => statements.count.get() as number,
    standsAs: (id: string, documentId: string): void => void statements.standsAs.run(documentId, id),
    forget: (id: string): void => void statements.forget.run({ id }),
    changeNotes(sessionId: string, change: (note: Note) => Note): void {
      for (const row of statements.notes.all(sessionId)) {
        const { id, body, choice } = fromRow(row) as StoredConflict & OfKind<'document'>
        const mine = body.mine as Note
        const changed = { ...body, mine: change(mine), theirs: change(body.theirs as Note) }
        const written = choice && changeWritten(choice, (sections) => change({ ...mine, sections }).sections)
        statements.rewrite.run(JSON.stringify(changed), written, id)
      }
    },
    forgetOther(id: string): StoredConflict[] {
      const forgotten = statements.forgetOther.all({ id }).map((row) => fromRow(row)!)
      return forgotten.filter(({ resolved_at }) => resolved_at === null)
    },
  }
}

function prepare(db: Sqlite) {
  return {
    find: db.prepare(`select ${fields} from conflicts where id = ?`),
    open: db.prepare(`select ${fields} from conflicts where record_kind = ? and record_id = ? and resolved_at is null`),
    list: db.prepare(`select ${fields} from conflicts where resolved_at is null order by found_at, id`),
    decided: db.prepare(`
      select ${fields} from conflicts
      where resolved_at is not null and kind in ('fields', 'document') and json_extract(choice, '$.kind') <> 'agreed'
      order by resolved_at desc, id desc limit ${MAX_DECIDED}`),
    freeze: db.prepare('update conflicts set body = ? where id = ?'),
    insert: db.prepare(`
      insert into conflicts (id, kind, record_kind, record_id, client_id, session_id, version, body, found_at)
      values (@id, @kind, @record_kind, @record_id, @client_id, @session_id, 1, @body, @found_at)`),
    change: db.prepare('update conflicts set kind = ?, body = ?, version = version + 1 where id = ?'),
    resolve: db.prepare('update conflicts set resolved_at = ?, choice = ? where id = ? and resolved_at is null'),
    count: db.prepare('select count(*) from conflicts where resolved_at is null').pluck(),
    standsAs: db.prepare("update conflicts set choice = json_set(choice, '$.stands_as', ?) where id = ?"),
    forget: db.prepare(`
      delete from conflicts
      where record_id = @id or session_id = @id or client_id = @id or json_extract(choice, '$.stands_as') = @id`),
    rewrite: db.prepare('update conflicts set body = ?, choice = ? where id = ?'),
    notes: db.prepare(`
      select ${fields} from conflicts where kind = 'document' and record_kind = 'note' and session_id = ?`),
    forgetOther: db.prepare(`
      delete from conflicts where kind = 'document' and record_id <> @id and json_extract(body, '$.theirs.id') = @id
      returning ${fields}`),
  }
}

function changeWritten(stored: string, change: (sections: NoteSection[]) => NoteSection[]): string {
  const choice = JSON.parse(stored) as ConflictChoice
  return choice.kind === 'together' ? JSON.stringify({ ...choice, sections: change(choice.sections) }) : stored
}

function fromRow(row: unknown): StoredConflict | null {
  if (row === undefined) return null
  return { ...(row as StoredConflict), body: JSON.parse((row as { body: string }).body) } as StoredConflict
}

export function requireDecided(conflicts: Pick<ConflictRepository, 'isAsked'>, kind: MergedKind, id: string): void {
  if (conflicts.isAsked(kind, id)) throw new AppError('stale-version')
}
