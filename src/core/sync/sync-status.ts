import type { OutboxItem, OutboxStatus, SentToday } from '#contract/bridge/library.ts'
import { type Clock, systemTimeZone, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { DayQuota } from '#client/limits.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { SyncLoop } from './sync-loop.ts'
import type { RecordParts } from '#core/records/repositories.ts'

type View = Pick<SyncLoop, 'state' | 'isReachable' | 'isPolling' | 'resumesIn' | 'triedIn'>

type Parts = Pick<RecordParts, 'outbox' | 'clock' | 'isRemote'> & { readonly loop: View }

export function createStatus({ outbox, loop, clock, isRemote }: Parts) {
  let done = 0
  let quota: { readonly said: DayQuota; readonly at: number } | null = null

  const timeIn = (ms: number | null): string | null => (ms === null ? null : new Date(clock.now() + ms).toISOString())

  const quotaNow = (): OutboxStatus['quota'] => {
    if (quota === null || !isRemote()) return null
    const { limit, remaining, resetSeconds } = quota.said
    const left = resetSeconds === null ? null : resetSeconds * 1000 - (clock.elapsed() - quota.at)
    return left !== null && left <= 0 ? null : { limit, remaining, resets_at: timeIn(left) }
  }

  return {
    onQuota(said: DayQuota): void {
      quota = { said, at: clock.elapsed() }
    },
    forgetQuota(): void {
      quota = null
    },
    oneDone(): void {
      done += 1
    },
    status(): OutboxStatus {
      const counts = outbox.counts()
      if (counts.waiting === 0) done = 0
      const phase = phaseOf(loop, counts.waiting)
      return {
        ...counts,
        ...outbox.questions(),
        sending: loop.state === 'sending',
        service: isRemote() ? 'remote' : 'embedded',
        reachable: loop.isReachable,
        phase,
        resumes_at: phase === 'saved' || phase === 'sending' ? null : timeIn(loop.resumesIn),
        done,
        total: done + counts.waiting,
        quota: quotaNow(),
      }
    },
    list: (most: number): OutboxItem[] =>
      outbox.list(most).map((item) => ({ ...item, next_attempt_at: timeIn(loop.triedIn(item.id)) })),
  }
}

function phaseOf({ state, isPolling }: View, waiting: number): OutboxStatus['phase'] {
  if (state === 'paused') return 'paused'
  if (waiting === 0) return 'saved'
  if (state === 'waiting') return isPolling ? 'sending' : 'backing_off'
  return state === 'idle' ? 'saved' : state
}

type Row = Omit<SentToday['items'][number], 'id' | 'fields'> & { readonly subject_id: string; readonly fields: string }

export type SentList = ReturnType<typeof createSentList>

/** Lists what the practice's service accepted since midnight, with one entry per record and kind of intent. */
export function createSentList(db: Sqlite, clock: Clock) {
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
    add(intent: AnyIntent): void {
      const { kind, subject_id, client_id, session_id } = intent
      const names = 'patch' in intent.body ? Object.keys(intent.body.patch) : []
      const before = fieldsOf.get(kind, subject_id, today()) as string | undefined
      const fields = [...new Set([...(before === undefined ? [] : (JSON.parse(before) as string[])), ...names])]
      insert.run({ kind, subject_id, client_id, session_id, fields: JSON.stringify(fields), sent_at: timestamp(clock) })
    },
    list(most: number): SentToday {
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
