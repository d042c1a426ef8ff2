import type { SentToday } from '#contract/bridge/library.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { systemTimeZone } from '#base/system-time-zone.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'

/** What the practice's service accepted since midnight. */
export interface SentList {
  /** Call this in the transaction that ends the intent. A record that was sent several times is one entry. */
  add(intent: AnyIntent): void
  list(most: number): SentToday
}

interface Row {
  readonly kind: string
  readonly subject_id: string
  readonly client_name: string | null
  readonly fields: string
  readonly sent_at: string
}

export function createSentList(db: Sqlite, clock: Clock): SentList {
  const drop = db.prepare('delete from sent_today where sent_at < ?')
  const insert = db.prepare(`
    insert into sent_today (kind, subject_id, client_id, session_id, fields, sent_at)
    select @kind, @subject_id, @client_id, @session_id, @fields, @sent_at
    where exists (select 1 from clients where id = @client_id)
      and not exists (select 1 from kept_here where kind = @kind and subject_id = @subject_id)
    on conflict (kind, subject_id) do update set sent_at = excluded.sent_at, fields = excluded.fields`)
  const fieldsOf = db.prepare('select fields from sent_today where kind = ? and subject_id = ? and sent_at >= ?').pluck()
  const select = db.prepare(`
    select sent.kind, sent.subject_id, clients.display_name as client_name, sent.fields, sent.sent_at
    from sent_today as sent left join clients on clients.id = sent.client_id
    where sent.sent_at >= ? order by sent.sent_at desc, sent.subject_id desc limit ?`)
  const count = db.prepare('select count(*) from sent_today where sent_at >= ?').pluck()
  let day = ''
  const midnight = (): string => {
    systemTimeZone() // `Date` follows a changed time zone only after this call.
    const date = new Date(clock.now())
    date.setHours(0, 0, 0, 0)
    return date.toISOString()
  }
  const today = (): string => {
    const begin = midnight()
    if (begin !== day) drop.run(begin)
    day = begin
    return begin
  }
  return {
    add(intent) {
      const { kind, subject_id, client_id, session_id } = intent
      const before = fieldsOf.get(kind, subject_id, today()) as string | undefined
      const fields = [...new Set([...(before === undefined ? [] : (JSON.parse(before) as string[])), ...namesIn(intent)])]
      insert.run({ kind, subject_id, client_id, session_id, fields: JSON.stringify(fields), sent_at: timestamp(clock) })
    },
    list(most) {
      const begin = today()
      const rows = select.all(begin, most) as Row[]
      return {
        items: rows.map(({ subject_id, fields, ...row }) => ({
          ...row,
          id: `${row.kind}:${subject_id}`,
          fields: JSON.parse(fields) as string[],
        })),
        total: count.get(begin) as number,
      }
    },
  }
}

function namesIn(intent: AnyIntent): string[] {
  return intent.kind === 'update-client' || intent.kind === 'update-session' ? Object.keys(intent.body.patch) : []
}
