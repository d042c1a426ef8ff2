import type { MovedKind, MovingDifference, MovingLook, MovingState } from '#contract/bridge/moving.ts'
import type { Sqlite } from '#base/sqlite.ts'

export interface Migration {
  readonly phase: Exclude<MovingState['phase'], 'none'>
  readonly address: string | null
  readonly person_id: string | null
  readonly is_owner: boolean
  readonly therapist_id: string
  readonly therapist_before: string | null
  readonly look: MovingLook | null
  readonly again: 'new' | 'refused' | 'all'
  readonly old_store: MovingState['old_store']
}

export interface MigrationRecord {
  readonly kind: MovedKind
  readonly id: string
  readonly parent_id: string | null
  readonly version: number
  readonly there_version: number | null
  readonly sent: unknown
}

export type RefusedRecord = Pick<MigrationRecord, 'kind' | 'id' | 'version'>

export interface Uploaded {
  readonly local_version: number
  readonly version: number
  readonly sent: unknown
  readonly differing: readonly string[]
}

export type Compared = Pick<Uploaded, 'version' | 'differing'>
type Counts = Readonly<Record<'total' | 'sent' | 'checked' | 'differing', number>>

export type MigrationRepository = ReturnType<typeof createMigrationRepository>

const columns = 'phase, address, person_id, is_owner, therapist_id, therapist_before, look, again, old_store, changed_at'
const initial = { old_store: 'in_use', person_id: null, is_owner: false, therapist_before: null, look: null, again: 'new' }

export const isTemplateInUse = `(removed_at is null or exists (select 1 from notes where notes.template = 'own:' || templates.id))`

const ownRecords = `
  select 0 as rank, 'template' as kind, id, null as client_id, null as session_id, null as parent_id, version, created_at as at
    from templates where ${isTemplateInUse}
  union all select 1, 'client', id, id, null, null, version, created_at from clients
  union all select 2, 'consent', id, client_id, null, client_id, version, given_at from consents
  union all select 3, 'session', id, client_id, id, client_id, version, starts_at from sessions
  union all select 4, 'transcript', transcripts.id, client_id, session_id, session_id, transcripts.version, starts_at
    from transcripts join sessions on sessions.id = transcripts.session_id
  union all select 5, 'note', notes.id, notes.client_id, session_id, session_id, notes.version, starts_at
    from notes join sessions on sessions.id = notes.session_id`

const joined = `
  from (${ownRecords}) as own
  left join moving_records as moved on moved.kind = own.kind and moved.id = own.id`

const isHere = `(kind in ('hours', 'authorisation') or ${['clients', 'consents', 'sessions', 'transcripts', 'notes', 'templates']
  .map((table) => `exists (select 1 from ${table} where ${table}.id = moving_records.id)`)
  .join(' or ')})`
const withSent = 'left join moving_sent on moving_sent.kind = own.kind and moving_sent.id = own.id'
const inOrder = 'order by own.client_id is not null, own.client_id, own.rank, own.at, own.id'
const isSent = 'moved.local_version is not null and moved.local_version = own.version'

export function createMigrationRepository(db: Sqlite) {
  const statements = prepare(db)
  return {
    get: () => migrationOf(statements.get.get()),
    put(patch: Partial<Migration> & { readonly changed_at: string }): void {
      const next = { ...initial, ...migrationOf(statements.get.get()), ...patch }
      statements.put.run({ ...next, is_owner: Number(next.is_owner), look: next.look && JSON.stringify(next.look) })
    },
    toUpload: (again: Migration['again']) => statements.toUpload.all({ again }).map(recordOf),
    toCompare: () => statements.toCompare.all().map(recordOf),
    isThere: (kind: MovedKind, id: string) => statements.isThere.get(kind, id) !== undefined,
    isRefused: (kind: MovedKind, id: string) => statements.isRefused.get(kind, id) !== undefined,
    /** Call this before sending, so that after a crash the data is recognized as sent by this app. */
    storeSent: ({ kind, id }: MigrationRecord, sent: unknown): void =>
      void statements.storeSent.run({ kind, id, sent: JSON.stringify(sent) }),
    storeUploaded({ kind, id }: MigrationRecord, { local_version, version, sent, differing }: Uploaded): void {
      db.transaction(() => {
        statements.storeSent.run({ kind, id, sent: JSON.stringify(sent) })
        statements.storeUploaded.run({ kind, id, local_version, there_version: version, ...problemOf(differing) })
      }).immediate()
    },
    storeCompared: ({ kind, id }: MigrationRecord, { version, differing }: Compared) =>
      void statements.storeCompared.run({ kind, id, there_version: version, ...problemOf(differing) }),
    refuse: ({ kind, id, version }: RefusedRecord, code: string): void =>
      void statements.refuse.run({ kind, id, local_version: version, problem: code }),
    counts: () => statements.counts.get() as Counts,
    differences: (most: number): MovingDifference[] =>
      (statements.differences.all(most) as (MovingDifference & { fields: unknown })[]).map((row) => ({
        ...row,
        fields: JSON.parse(String(row.fields)) as string[],
      })),
    forget: (kind: MovedKind): void => void statements.forgetKind.run(kind),
    forgetRecords: (): void => void db.exec('delete from moving_records; delete from moving_sent'),
  }
}

function prepare(db: Sqlite) {
  const fields = 'own.kind, own.id, own.parent_id, own.version, moved.there_version'
  return {
    get: db.prepare(`select ${columns} from moving`),
    put: db.prepare(`insert or replace into moving (id, ${columns}) values (1, ${columns.replaceAll(/\w+/g, '@$&')})`),
    toUpload: db.prepare(`
      select ${fields}, moving_sent.sent ${joined} ${withSent}
      where moved.local_version is null or moved.local_version <> own.version or (@again = 'all' and moved.problem is not null)
        or (@again = 'refused' and moved.problem <> 'differs') ${inOrder}`),
    toCompare: db.prepare(
      `select ${fields}, null as sent ${joined} where ${isSent} and moved.is_checked = 0 and moved.problem is null ${inOrder}`,
    ),
    isThere: db.prepare('select 1 from moving_records where kind = ? and id = ? and there_version is not null'),
    isRefused: db.prepare(
      'select 1 from moving_records where kind = ? and id = ? and there_version is null and problem is not null',
    ),
    storeSent: db.prepare(`
      insert into moving_sent (kind, id, sent) values (@kind, @id, @sent)
      on conflict (kind, id) do update set sent = excluded.sent`),
    storeUploaded: db.prepare(`
      insert into moving_records (kind, id, local_version, there_version, problem, fields)
      values (@kind, @id, @local_version, @there_version, @problem, @fields)
      on conflict (kind, id) do update set local_version = excluded.local_version, there_version = excluded.there_version,
        is_checked = 0, problem = excluded.problem, fields = excluded.fields`),
    storeCompared: db.prepare(`
      update moving_records set is_checked = 1, there_version = @there_version, problem = @problem, fields = @fields
      where kind = @kind and id = @id`),
    refuse: db.prepare(`
      insert into moving_records (kind, id, local_version, problem) values (@kind, @id, @local_version, @problem)
      on conflict (kind, id) do update set local_version = excluded.local_version, problem = excluded.problem, fields = '[]'`),
    // `total` counts the current tables and limits `sent` and `checked`, because `moving_records` also has rows of replaced
    // records.
    counts: db.prepare(`
      select total, min(total, sent) as sent, min(total, checked) as checked, differing from
        (select (select count(*) from clients) + (select count(*) from consents) + (select count(*) from sessions)
          + (select count(*) from transcripts) + (select count(*) from notes)
          + (select count(*) from templates where ${isTemplateInUse}) as total),
        (select count(case when kind not in ('hours', 'authorisation') then local_version end) as sent,
          count(case when is_checked = 1 then 1 end) as checked, count(case when problem is not null and ${isHere} then 1 end) as differing from moving_records)`),
    differences: db.prepare(`
      select own.kind, own.id, clients.display_name as client_name, sessions.starts_at as session_at, moved.problem as code, moved.fields
      ${joined} left join clients on clients.id = own.client_id left join sessions on sessions.id = own.session_id
      where moved.problem is not null
      union all select kind, moving_records.id, clients.display_name, null, problem, fields
        from moving_records left join clients on clients.id = moving_records.id
        where kind in ('hours', 'authorisation') and problem is not null
      limit ?`),
    forgetKind: db.prepare('delete from moving_records where kind = ?'),
  }
}

function migrationOf(row: unknown): Migration | null {
  if (row === undefined) return null
  const stored = row as Omit<Migration, 'look' | 'is_owner'> & { look: string | null; is_owner: number }
  const look = stored.look === null ? null : (JSON.parse(stored.look) as MovingLook)
  return { ...stored, look, is_owner: stored.is_owner === 1 }
}

function recordOf(row: unknown): MigrationRecord {
  const stored = row as Omit<MigrationRecord, 'sent'> & { sent: string | null }
  return { ...stored, sent: stored.sent === null ? undefined : JSON.parse(stored.sent) }
}

const problemOf = (differing: readonly string[]) => ({
  problem: differing.length === 0 ? null : 'differs',
  fields: JSON.stringify(differing),
})
