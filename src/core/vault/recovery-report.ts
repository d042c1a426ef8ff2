import type { RecoveryKind, RecoveryReport } from '#contract/bridge/recovery.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'

export interface RecoveryItem {
  readonly kind: RecoveryKind
  readonly subject_id: string
  /** False: not recovered so far. A record that exists when the report is read counts as recovered. */
  readonly is_recovered: boolean
  readonly client_id: string | null
  readonly session_id: string | null
  readonly date: string | null
  readonly client_name?: string | null
}

export interface RecoveryCause extends Pick<RecoveryReport, 'file' | 'cause'> {
  readonly set_aside?: readonly string[]
  readonly pages?: number
  readonly unreadable_pages?: number
}

export const inPart = (subjectId: string): string => `${subjectId} in part`

/** Adds to the unread report with the same file, cause, and set-aside names, so it can be repeated after a kill. */
export function reportRecovery(db: Sqlite, clock: Clock, cause: RecoveryCause, items: Iterable<RecoveryItem>): void {
  const insert = db.prepare(
    `insert into recovery_items (report_id, kind, subject_id, is_recovered, client_id, session_id, date, client_name)
     values (@report_id, @kind, @subject_id, @is_recovered, @client_id, @session_id, @date, @client_name)
     on conflict do update set is_recovered = max(is_recovered, excluded.is_recovered),
       client_id = coalesce(client_id, excluded.client_id), session_id = coalesce(session_id, excluded.session_id),
       date = coalesce(date, excluded.date), client_name = coalesce(client_name, excluded.client_name)`,
  )
  const isWhole = db.prepare('delete from recovery_items where report_id = ? and kind = ? and subject_id = ?')
  const add = db.transaction(() => {
    const report_id = reportId(db, clock, cause)
    for (const item of items) {
      insert.run({ client_name: null, ...item, report_id, is_recovered: Number(item.is_recovered) })
      if (item.is_recovered) isWhole.run(report_id, item.kind, inPart(item.subject_id))
    }
  })
  add.immediate()
}

/** The cause of the unread report about this file, to add further items to it. */
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

interface Parts {
  readonly db: Sqlite
  readonly clock: Clock
  readonly emit: Emit
  readonly databaseCopies: () => readonly string[]
}

type ReportMethods = 'recovery.reports' | 'recovery.markRead' | 'recovery.readReports' | 'recovery.removeRead'

export function recoveryHandlers({ db, clock, emit, databaseCopies }: Parts): Handlers<ReportMethods> {
  let found: readonly string[] | undefined
  const copies = (): readonly string[] => (found ??= databaseCopies())
  return {
    'recovery.reports': () => reportsWhere(db, copies, 'read_at is null order by at, id'),
    'recovery.readReports': () =>
      reportsWhere(db, copies, `read_at is not null and id in (select report_id from recovery_items) order by at desc, id desc`),
    'recovery.markRead': ({ id }) => {
      db.prepare('update recovery_reports set read_at = ? where id = ? and read_at is null').run(timestamp(clock), id)
      emit('records.changed', { kinds: ['recovery'] })
      return {}
    },
    // Keep the report itself as proof that the set-aside files were reported.
    'recovery.removeRead': ({ id }) => {
      db.prepare(
        'delete from recovery_items where report_id in (select id from recovery_reports where id = ? and read_at is not null)',
      ).run(id)
      emit('records.changed', { kinds: ['recovery'] })
      return {}
    },
  }
}

function reportsWhere(db: Sqlite, copies: () => readonly string[], condition: string): RecoveryReport[] {
  const items = db.prepare(itemsOfReport)
  const reports = db.prepare(`select * from recovery_reports where ${condition}`).all()
  return (reports as ReportRow[]).map((report) => {
    const rows = items.all({ report: report.id }) as ItemRow[]
    const isMissing = report.file !== 'keys' && rows.some(({ kind, is_recovered }) => kind !== 'other' && is_recovered === 0)
    return {
      ...report,
      set_aside: JSON.parse(report.set_aside) as string[],
      copies: isMissing ? [...copies()] : [],
      items: rows.map(({ is_recovered, is_partial, ...item }) => ({
        ...item,
        is_recovered: is_recovered === 1,
        is_partial: is_partial === 1,
      })),
    }
  })
}

type ReportRow = Omit<RecoveryReport, 'set_aside' | 'copies' | 'items'> & { readonly set_aside: string }
type Flags = 'is_recovered' | 'is_partial'
type ItemRow = Omit<RecoveryReport['items'][number], Flags> & Readonly<Record<Flags, number>>

const tables = {
  client: 'clients',
  consent: 'consents',
  session: 'sessions',
  recording: 'recordings',
  transcript: 'transcripts',
  note: 'notes',
  template: 'templates',
} as const

/** A placeholder session has another client than the lost one. */
const isOfClient = 'and client_id = coalesce(recovery_items.client_id, client_id)'

const isHere = Object.entries(tables)
  .map(([kind, table]) => {
    const found = `select 1 from ${table} where id = subject_id ${kind === 'session' ? isOfClient : ''}`
    return `(kind = '${kind}' and exists (${found}))`
  })
  .join(' or ')

const isWithoutClient = `kind = 'session' and exists (
  select 1 from sessions where id = subject_id and client_id not in (select id from clients))`

const nameOf = 'coalesce(clients.display_name, recovery_items.client_name)'

const itemsOfReport = `
select kind, ((is_recovered or ${isHere}) and not (${isWithoutClient})) as is_recovered, subject_id like '${inPart('%')}' as is_partial,
  ${nameOf} as client_name, session_id,
  coalesce(sessions.starts_at, recovery_items.date) as date
from recovery_items
left join sessions on sessions.id = recovery_items.session_id
left join clients on clients.id = coalesce(recovery_items.client_id, sessions.client_id)
where report_id = @report and not exists (
  select 1 from recovery_items as part
  where part.report_id = @report and part.kind = recovery_items.kind and part.subject_id = recovery_items.subject_id || '${inPart('')}')
order by ${nameOf} is null, ${nameOf}, date, kind`
