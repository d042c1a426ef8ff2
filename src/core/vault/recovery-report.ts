import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { LostPart, RecoveryKind, RecoveryReport } from '#contract/bridge/recovery.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { RecordParts } from '#core/records/repositories.ts'

export interface RecoveryItem {
  readonly kind: RecoveryKind
  readonly subject_id: string
  readonly is_recovered: boolean
  readonly client_id: string | null
  readonly session_id: string | null
  readonly date: string | null
  readonly client_name?: string | null
  readonly is_signed?: boolean
}

export interface RecoveryCause extends Pick<RecoveryReport, 'file' | 'cause'> {
  readonly set_aside?: readonly string[]
  readonly pages?: number
  readonly unreadable_pages?: number
}

export const lostItem = (kind: RecoveryKind, subject_id: string, known: Partial<RecoveryItem> = {}): RecoveryItem => ({
  client_id: null,
  session_id: null,
  date: null,
  ...known,
  kind,
  subject_id,
  is_recovered: false,
})

export const inPart = (subjectId: string): string => `${subjectId} in part`
export const addendumId = (noteId: string, place: number): string => `${noteId} addendum ${place}`
const addendumOf = (noteId: string): string => `${noteId} || ' addendum '`

/** Adds the items to the unread report with the same file, cause, and `set_aside`, or else to a new report. */
export function reportRecovery(db: Sqlite, clock: Clock, cause: RecoveryCause, items: Iterable<RecoveryItem>): void {
  const insert = db.prepare(
    `insert into recovery_items (report_id, kind, subject_id, is_recovered, client_id, session_id, date, client_name, is_signed)
     values (@report_id, @kind, @subject_id, @is_recovered, @client_id, @session_id, @date, @client_name, @is_signed)
     on conflict do update set is_recovered = max(is_recovered, excluded.is_recovered),
       client_id = coalesce(client_id, excluded.client_id), session_id = coalesce(session_id, excluded.session_id),
       date = coalesce(date, excluded.date), client_name = coalesce(client_name, excluded.client_name),
       is_signed = max(is_signed, excluded.is_signed)`,
  )
  const isWhole = db.prepare(
    'update or replace recovery_items set subject_id = ?, is_recovered = 1 where kind = ? and subject_id = ?',
  )
  const isOpen = db.prepare('update recovery_reports set solved_at = null where id = ?')
  db.transaction(() => {
    const report_id = reportId(db, clock, cause)
    isOpen.run(report_id)
    for (const item of items) {
      const { kind, subject_id, is_recovered, is_signed = false } = item
      insert.run({ client_name: null, ...item, report_id, is_recovered: Number(is_recovered), is_signed: Number(is_signed) })
      if (is_recovered) isWhole.run(subject_id, kind, inPart(subject_id))
    }
  }).immediate()
}

export function currentCause(db: Sqlite, file: RecoveryCause['file']): RecoveryCause {
  const query =
    'select cause, set_aside from recovery_reports where file = ? and read_at is null order by at desc, id desc limit 1'
  const open = db.prepare(query).get(file) as { cause: RecoveryCause['cause']; set_aside: string } | undefined
  return { file, cause: open?.cause ?? 'behind', set_aside: JSON.parse(open?.set_aside ?? '[]') as string[] }
}

function reportId(db: Sqlite, clock: Clock, cause: RecoveryCause): string {
  const { file, cause: why, set_aside = [], pages = 0, unreadable_pages = 0 } = cause
  const names = JSON.stringify(set_aside)
  const known = db
    .prepare('select id from recovery_reports where file = ? and cause = ? and set_aside = ? and read_at is null')
    .pluck()
    .get(file, why, names)
  if (known !== undefined) return known as string
  const id = newId(clock)
  db.prepare(
    'insert into recovery_reports (id, at, file, cause, set_aside, pages, unreadable_pages) values (?, ?, ?, ?, ?, ?, ?)',
  ).run(id, timestamp(clock), file, why, names, pages, unreadable_pages)
  return id
}

interface Parts extends Pick<RecordParts, 'db' | 'clock' | 'emit'> {
  readonly folder: string
  readonly databaseCopies: () => readonly string[]
}

type ReportMethods = `recovery.${'reports' | 'markRead' | 'readReports' | 'removeRead' | 'lostParts'}`

export function recoveryHandlers({ db, clock, emit, folder, databaseCopies }: Parts): Handlers<ReportMethods> {
  let found: readonly string[] | undefined
  const copies = (): readonly string[] => (found ??= databaseCopies())
  // The report row stays, so that the files in its `set_aside` are not reported again.
  const remove = db.transaction((id: string) => {
    const removed = 'update recovery_reports set removed_at = ? where id = ? and read_at is not null'
    if (db.prepare(removed).run(timestamp(clock), id).changes > 0)
      db.prepare('delete from recovery_items where report_id = ?').run(id)
  })
  return {
    'recovery.reports': () => reportsWhere({ db, folder, copies }, 'read_at is null order by at, id'),
    'recovery.readReports': () =>
      reportsWhere({ db, folder, copies }, 'read_at is not null and removed_at is null order by at desc, id desc'),
    'recovery.markRead': ({ id }) => {
      db.prepare('update recovery_reports set read_at = ? where id = ? and read_at is null').run(timestamp(clock), id)
      emit('records.changed', { kinds: ['recovery'] })
      return {}
    },
    'recovery.removeRead': ({ id }) => {
      remove.immediate(id)
      emit('records.changed', { kinds: ['recovery'] })
      return {}
    },
    'recovery.lostParts': () => lostParts(db),
  }
}

interface ReportParts extends Pick<Parts, 'db' | 'folder'> {
  readonly copies: () => readonly string[]
}

function reportsWhere({ db, folder, copies }: ReportParts, condition: string): RecoveryReport[] {
  const items = db.prepare(itemsOfReport)
  const reports = db.prepare(`select * from recovery_reports where ${condition}`).all()
  return (reports as ReportRow[]).map((report) => {
    const rows = items.all({ report: report.id }) as ItemRow[]
    const isMissing = report.file !== 'keys' && rows.some(({ kind, is_recovered }) => kind !== 'other' && is_recovered === 0)
    return {
      ...report,
      set_aside: (JSON.parse(report.set_aside) as string[]).filter(
        // A person may have deleted a damaged database since.
        (name) => report.cause !== 'damaged' || report.file === 'keys' || isThere(join(folder, name)),
      ),
      copies: isMissing ? [...copies()] : [],
      items: rows.map(({ is_recovered, is_partial, is_signed, ...item }) => ({
        ...item,
        is_recovered: is_recovered === 1,
        is_partial: is_partial === 1,
        is_signed: is_signed === 1,
      })),
    }
  })
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

type ReportRow = Omit<RecoveryReport, 'set_aside' | 'copies' | 'items'> & { readonly set_aside: string }
type Flags = 'is_recovered' | 'is_partial' | 'is_signed'
type ItemRow = Omit<RecoveryReport['items'][number], Flags> & Readonly<Record<Flags, number>>

const tables = {
  client: 'clients',
  consent: 'consents',
  session: 'sessions',
  recording: 'recordings',
  transcript: 'transcripts',
  note: 'notes',
  template: 'templates',
  bookmark: 'recording_marks',
} as const

const isOfClient = 'and client_id = coalesce(recovery_items.client_id, client_id)'

const isHere = Object.entries(tables)
  .map(([kind, table]) => {
    const found = `select 1 from ${table} where id = subject_id ${kind === 'session' ? isOfClient : ''}`
    return `(kind = '${kind}' and exists (${found}))`
  })
  .concat(
    "(kind = 'insight' and exists (select 1 from insights where session_id = subject_id))",
    "(kind = 'connection' and exists (select 1 from settings where name = 'service_address' and value <> 'null'))",
    `(kind = 'addendum' and exists (select 1 from notes where session_id = recovery_items.session_id
      and json_array_length(addenda) >= cast(replace(subject_id, ${addendumOf('id')}, '') as integer)
      and subject_id like ${addendumOf('id')} || '%'))`,
  )
  .join(' or ')

const isWithoutClient = `kind = 'session' and exists (
  select 1 from sessions where id = subject_id and client_id not in (select id from clients))`

const isBack = `(is_recovered or ${isHere}) and not (${isWithoutClient})`

const isPartial = `subject_id like '${inPart('%')}'`

const nameOf = 'coalesce(clients.display_name, recovery_items.client_name)'

const itemsWithNames = `from recovery_items
left join sessions on sessions.id = recovery_items.session_id
left join clients on clients.id = coalesce(recovery_items.client_id, sessions.client_id)`

const itemsOfReport = `
select kind, (${isBack}) as is_recovered, ${isPartial} as is_partial, is_signed,
  ${nameOf} as client_name, session_id,
  coalesce(sessions.starts_at, recovery_items.date) as date
${itemsWithNames}
where report_id = @report and not exists (
  select 1 from recovery_items as part
  where part.report_id = @report and part.kind = recovery_items.kind and part.subject_id = recovery_items.subject_id || '${inPart('')}')
order by ${nameOf} is null, ${nameOf}, date, kind`

export function solveReports(db: Sqlite, clock: Clock, openedAt: string): boolean {
  const solved = `
    update recovery_reports set solved_at = ?
    where solved_at is null and file in ('vault', 'service') and at < ? and not exists (
      select 1 from recovery_items where report_id = recovery_reports.id and kind <> 'other' and not (${isBack}))`
  return db.prepare(solved).run(timestamp(clock), openedAt).changes > 0
}

export function unresolvedItems(db: Sqlite): RecoveryItem[] {
  const query = `
    select kind, subject_id, false as is_recovered, coalesce(recovery_items.client_id, sessions.client_id) as client_id,
      session_id, ${nameOf} as client_name, coalesce(sessions.starts_at, date) as date, is_signed
    ${itemsWithNames} where not (${isBack}) order by kind, subject_id, report_id`
  return db.prepare(query).all() as RecoveryItem[]
}

const isWrittenAgain = (['transcript', 'note'] as const)
  .map((kind) => {
    const isNewer = `id <> replace(subject_id, '${inPart('')}', '') or updated_at > recovery_reports.at`
    const isSigned = kind === 'note' ? `or (recovery_items.is_signed and signature is not null)` : ''
    const found = `select 1 from ${kind}s where session_id = recovery_items.session_id and (not ${isPartial} or ${isNewer} ${isSigned})`
    return `(kind = '${kind}' and exists (${found}))`
  })
  .concat(`(kind = 'recording' and exists (select 1 from recordings where session_id = recovery_items.session_id))`)
  .join(' or ')

function lostParts(db: Sqlite): LostPart[] {
  const query = `
    select session_id, kind, count(distinct subject_id) as count, max(at) as at, max(is_signed) as is_signed,
      min(is_partial) as is_partial
    from (
      select session_id, kind, subject_id, at, is_signed, ${isPartial} as is_partial
      from recovery_items join recovery_reports on recovery_reports.id = report_id
      where session_id is not null and kind in ('recording', 'transcript', 'note', 'addendum')
        and not (${isBack}) and not (${isWrittenAgain}))
    group by session_id, kind order by session_id, kind`
  const rows = db.prepare(query).all() as (Omit<LostPart, Flag> & Record<Flag, number>)[]
  return rows.map((row) => ({ ...row, is_partial: row.is_partial === 1, is_signed: row.is_signed === 1 }))
}

type Flag = 'is_partial' | 'is_signed'
