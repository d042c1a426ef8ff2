import type { RecoveryKind, RecoveryReport } from '#contract/bridge/recovery.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'

export interface RecoveryItem {
  readonly kind: RecoveryKind
  /** The record's id, or any name that tells it from others of its kind. */
  readonly subject_id: string
  /** False: not yet, or never. A record that the vault holds by the time the report is read counts as recovered. */
  readonly is_recovered: boolean
  readonly client_id: string | null
  readonly session_id: string | null
  /** RFC 3339 */
  readonly date: string | null
}

export interface RecoveryCause extends Pick<RecoveryReport, 'file' | 'cause'> {
  readonly set_aside?: readonly string[]
  readonly pages?: number
  readonly unreadable_pages?: number
}

/** Adds to the unread report of the same file, cause and set-aside names, so that it can be repeated after a kill. */
export function reportRecovery(db: Sqlite, clock: Clock, cause: RecoveryCause, items: Iterable<RecoveryItem>): void {
  const insert = db.prepare(
    `insert into recovery_items (report_id, kind, subject_id, is_recovered, client_id, session_id, date)
     values (@report_id, @kind, @subject_id, @is_recovered, @client_id, @session_id, @date)
     on conflict do update set is_recovered = max(is_recovered, excluded.is_recovered),
       client_id = coalesce(client_id, excluded.client_id), session_id = coalesce(session_id, excluded.session_id),
       date = coalesce(date, excluded.date)`,
  )
  const add = db.transaction(() => {
    const report_id = reportId(db, clock, cause)
    for (const item of items) insert.run({ ...item, report_id, is_recovered: Number(item.is_recovered) })
  })
  add.immediate()
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
}

export function recoveryHandlers({ db, clock, emit }: Parts): Handlers<'recovery.reports' | 'recovery.markRead'> {
  return {
    'recovery.reports': () => unreadReports(db),
    'recovery.markRead': ({ id }) => {
      db.prepare('update recovery_reports set read_at = ? where id = ? and read_at is null').run(timestamp(clock), id)
      emit('records.changed', { kinds: ['recovery'] })
      return {}
    },
  }
}

function unreadReports(db: Sqlite): RecoveryReport[] {
  const items = db.prepare(itemsOfReport)
  const reports = db.prepare('select * from recovery_reports where read_at is null order by at, id').all()
  return (reports as ReportRow[]).map((report) => ({
    ...report,
    set_aside: JSON.parse(report.set_aside) as string[],
    items: (items.all({ report: report.id }) as ItemRow[]).map((item) => ({ ...item, is_recovered: item.is_recovered === 1 })),
  }))
}

type ReportRow = Omit<RecoveryReport, 'set_aside' | 'items'> & { readonly set_aside: string }
type ItemRow = Omit<RecoveryReport['items'][number], 'is_recovered'> & { readonly is_recovered: number }

/** Where the records of each kind that can be found by id are. */
const tables = {
  client: 'clients',
  consent: 'consents',
  session: 'sessions',
  recording: 'recordings',
  transcript: 'transcripts',
  note: 'notes',
  template: 'templates',
} as const

const isHere = Object.entries(tables)
  .map(([kind, table]) => `(kind = '${kind}' and exists (select 1 from ${table} where id = subject_id))`)
  .join(' or ')

const itemsOfReport = `
select kind, (is_recovered or ${isHere}) as is_recovered, clients.display_name as client_name, session_id,
  coalesce(sessions.starts_at, recovery_items.date) as date
from recovery_items
left join sessions on sessions.id = recovery_items.session_id
left join clients on clients.id = coalesce(recovery_items.client_id, sessions.client_id)
where report_id = @report
order by client_name is null, client_name, date, kind`
