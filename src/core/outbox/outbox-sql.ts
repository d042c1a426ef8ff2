import type { Sqlite } from '#base/sqlite.ts'
import { timingFields, workKinds } from './intents.ts'

interface Statement {
  run(...values: unknown[]): unknown
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  iterate(...values: unknown[]): IterableIterator<unknown>
}
export type Statements = Readonly<Record<keyof typeof outboxSql, Statement>>

export function prepareOutbox(db: Sqlite): Statements {
  const all = Object.entries(outboxSql).map(([name, sql]): [string, Statement] => [name, db.prepare<unknown[]>(sql)])
  return Object.fromEntries(all) as Record<keyof Statements, Statement>
}

const fields = `sequence, id, kind, client_id, session_id, subject_id, body, idempotency_key, state, operation_id, attempts,
  error, created_at, tried`

const listOf = (names: readonly string[]): string => `('${names.join("', '")}')`
const work = listOf(workKinds)

const asked = `
  (outbox.state = 'needs_you' and (
    outbox.subject_id in (select record_id from conflicts where resolved_at is null)
    or (outbox.kind = 'draft-note' and outbox.error = 'stale-version' and json_extract(outbox.body, '$.template') in (
      select 'own:' || record_id from conflicts where resolved_at is null and record_kind = 'template'))))`

const timing = listOf(timingFields)

/** SQL condition: the intent `earlier` must be sent before the intent `outbox`. */
const needed = `
  earlier.client_id = outbox.client_id and earlier.sequence < outbox.sequence and (
    earlier.kind = 'create-client'
    or (earlier.kind = 'create-session' and earlier.session_id = outbox.session_id)
    or (earlier.subject_id = outbox.subject_id and earlier.kind not in ${work})
    or (earlier.session_id = outbox.session_id and outbox.kind in ('draft-note', 'analyze') and (
      earlier.kind = 'put-transcript' or (earlier.kind = 'transcribe' and earlier.state <> 'needs_you')))
  )`

const isHeld = `
  exists (select 1 from outbox as earlier where ${needed})
  or (outbox.kind <> 'revoke-consent' and exists (
    select 1 from json_each(@deferred) as waiting join outbox as earlier on earlier.id = waiting.value
    where earlier.client_id = outbox.client_id and earlier.sequence < outbox.sequence and earlier.kind not in ${work}))`

const isReady = `
  state <> 'needs_you' and id not in (select value from json_each(@deferred))
  and (state = 'polling' or kind not in (select value from json_each(@resting)))`

const lineWith = (held: string): string => `
  select id, kind, client_id, subject_id, ${held} as held,
    kind = 'update-session' and exists (select 1 from json_each(body, '$.patch') where key in ${timing}) as moves
  from outbox indexed by outbox_by_turn
  where state <> 'needs_you' order by rank, sequence limit @most`

const outboxSql = {
  insert: `
      insert into outbox (id, kind, client_id, session_id, subject_id, body, idempotency_key, state, created_at, rank, tried)
      values (@id, @kind, @client_id, @session_id, @subject_id, @body, @idempotency_key, 'waiting', @created_at,
        iif(@kind = 'revoke-consent', -1000000, 0), 0)`,
  sameWaiting: `select id from outbox where kind = ? and subject_id = ? and state = 'waiting'`,
  lastOf: `select ${fields} from outbox where subject_id = ? order by sequence desc limit 1`,
  anySessionAfter: `select 1 from outbox where sequence > ? and kind in ('create-session', 'update-session') limit 1`,
  next: `
      select ${fields} from outbox indexed by outbox_by_turn
      where ${isReady} and (@passing is null or kind <> @passing or state = 'polling') and not (${isHeld})
      order by rank, sequence limit 1`,
  line: lineWith(`(not (${isReady}) or ${isHeld})`),
  freeLine: lineWith(`exists (select 1 from outbox as earlier where ${needed})`),
  find: `select ${fields} from outbox where id = ?`,
  pendingWork: `select ${fields} from outbox where session_id = ? and kind = ? order by sequence desc limit 1`,
  workOf: `select ${fields} from outbox where client_id = ? and kind in ${work} order by sequence`,
  remove: 'delete from outbox where id = ?',
  tried: 'update outbox set tried = 1 where id = ? and tried = 0',
  poll: `update outbox set state = 'polling', operation_id = ?, error = null where id = ?`,
  renew: `update outbox set state = 'waiting', operation_id = null, idempotency_key = ? where id = ?`,
  remember: 'update outbox set body = ? where id = ?',
  retry: `
      update outbox set state = 'waiting', operation_id = null, idempotency_key = ?, attempts = 0, error = null where id = ?`,
  attempted: 'update outbox set attempts = attempts + 1, error = ? where id = ?',
  unreached: 'update outbox set error = ? where id = ?',
  held: 'update outbox set error = @error, attempts = iif(@error is null, 0, attempts) where id = @id',
  needsYou: `update outbox set state = 'needs_you', attempts = attempts + 1, error = ? where id = ?`,
  stuck: `select ${fields} from outbox where state = 'needs_you' order by sequence`,
  first: `
      with recursive chosen (id) as (
        select @id
        union
        select earlier.id from chosen join outbox on outbox.id = chosen.id join outbox as earlier on ${needed})
      update outbox set rank = (select min(rank, 0) - 1 from outbox where rank > -1000000 order by rank limit 1)
      where id in (select id from chosen) and rank > -1000000`,
  list: `
      select outbox.id, outbox.kind, clients.display_name as client_name, outbox.created_at, outbox.state, outbox.attempts,
        outbox.error, outbox.rank < 0 and outbox.rank > -1000000 as chosen, ${asked} as asked,
        (select json_group_array(json_object('id', need.id, 'kind', need.kind, 'needs_you', need.state = 'needs_you'))
          from (select earlier.* from outbox as earlier where ${needed} order by earlier.sequence limit 3) as need) as needs
      from outbox left join clients on clients.id = outbox.client_id
      where outbox.sequence in (
        select sequence from (select sequence from outbox where state = 'needs_you' order by rank, sequence limit @most)
        union all
        select sequence from (
          select sequence from outbox indexed by outbox_by_turn where state <> 'needs_you' order by rank, sequence limit @most))
      order by outbox.state <> 'needs_you', outbox.rank, outbox.sequence limit @most`,
  counts: `
      select every.count - stuck.count as waiting, stuck.count as needs_you
      from (select count(*) as count from outbox) as every,
        (select count(*) as count from outbox where state = 'needs_you') as stuck`,
  questions: `
      select
        (select count(*) from conflicts where resolved_at is null) as conflicts,
        (select count(*) from outbox where ${asked}) as asked`,
} as const
