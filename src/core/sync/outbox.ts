import type { OutboxItem } from '#contract/bridge/library.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type AnyIntent, type IntentKind, isWork, type OutboxState, type StoredIntent } from './intents.ts'

export interface Outbox {
  /** Belongs into the transaction of the change it tells of. Wakes the loop once that is durable. */
  add(intent: AnyIntent): void
  /**
   * The first intent whose turn it is. `deferred`: failed a moment ago and wait, with what depends on them. `passing`: not
   * of this kind, unless its work is under way and to be asked about.
   */
  next(deferred: readonly string[], passing?: IntentKind): StoredIntent | null
  find(id: string): StoredIntent | null
  /** Work on a session that is not done. */
  pendingWork(sessionId: string, kind: 'transcribe' | 'draft-note' | 'analyze'): StoredIntent | null
  /** Work of a client that is not done. */
  workOf(clientId: string): StoredIntent[]
  begin(id: string): void
  end(): void
  remove(id: string): void
  poll(id: string, operationId: string): void
  /** Back to the start, under a new key: the old one stands for work that ended without a result. */
  renew(id: string): void
  /** Keeps with an intent what is about to be sent, to know it again should the answer be lost. */
  remember(id: string, body: object): void
  attempted(id: string, error: string): void
  /** There was no service to attempt it with. */
  unreached(id: string, error: string): void
  /** It waits for something; null: a part of it is done, so what failed before does not count. */
  held(id: string, error: string | null): void
  needsYou(id: string, error: string): void
  /** Tries again what needed somebody, or only what failed with one of these codes. */
  retry(codes?: readonly string[]): StoredIntent[]
  list(): OutboxItem[]
  counts(): { waiting: number; needs_you: number }
  /** Called after each change of the table, outside of its transaction; `isNew` where there is more to do. */
  onChange(listener: (isNew: boolean) => void): void
}

interface Row {
  readonly sequence: number
  readonly body: string
}

const fields = `sequence, id, kind, client_id, session_id, subject_id, body, idempotency_key, state, operation_id, attempts,
  error, created_at`

/**
 * Whether an earlier intent of the same client holds this one up. What is merely deferred keeps its place before all that
 * follows; what needs somebody, or is long work, holds up only what cannot be done without it. A consent that is revoked
 * waits for nothing but its having been given.
 */
const heldUp = `
  select 1 from outbox as earlier
  where earlier.client_id = outbox.client_id and earlier.sequence < outbox.sequence and (
    (outbox.kind <> 'revoke-consent' and
      earlier.id in (select value from json_each(@deferred)) and earlier.kind not in ('transcribe', 'draft-note', 'analyze'))
    or earlier.kind = 'create-client'
    or (earlier.kind = 'create-session' and earlier.session_id = outbox.session_id)
    or (earlier.subject_id = outbox.subject_id and earlier.kind not in ('transcribe', 'draft-note', 'analyze'))
    or (earlier.session_id = outbox.session_id and outbox.kind in ('draft-note', 'analyze') and (
      earlier.kind = 'put-transcript' or (earlier.kind = 'transcribe' and earlier.state <> 'needs_you')))
  )`

export function createOutbox(db: Sqlite, clock: Clock): Outbox {
  const statements = prepare(db)
  const { changed, tell, onChange } = announcer()
  let inFlight: string | null = null

  return {
    add(intent) {
      // A record that is sent as it stands needs to be sent once.
      const isWhole = intent.kind === 'put-note' || intent.kind === 'put-transcript'
      if (isWhole && statements.sameWaiting.get(intent.kind, intent.subject_id, inFlight ?? '') !== undefined) return
      const id = newId(clock)
      const row = {
        ...intent,
        body: JSON.stringify(intent.body),
        id,
        idempotency_key: newId(clock),
        created_at: timestamp(clock),
      }
      tell(() => statements.insert.run(row), true)
    },
    next: (deferred, passing) => fromRow(statements.next.get({ deferred: JSON.stringify(deferred), passing: passing ?? null })),
    find: (id) => fromRow(statements.find.get(id)),
    pendingWork: (sessionId, kind) => fromRow(statements.pendingWork.get(sessionId, kind)),
    workOf: (clientId) => (statements.workOf.all(clientId) as unknown[]).map((row) => fromRow(row)!),
    begin(id) {
      inFlight = id
      changed(false)
    },
    end() {
      inFlight = null
      changed(false)
    },
    remove: (id) => tell(() => statements.remove.run(id)),
    poll: (id, operationId) => tell(() => statements.poll.run(operationId, id)),
    renew: (id) => tell(() => statements.renew.run(newId(clock), id)),
    remember: (id, body) => void statements.remember.run(JSON.stringify(body), id),
    attempted: (id, error) => tell(() => statements.attempted.run(error, id)),
    unreached: (id, error) => tell(() => statements.unreached.run(error, id)),
    held: (id, error) => tell(() => statements.held.run({ id, error })),
    needsYou: (id, error) => tell(() => statements.needsYou.run(error, id)),
    retry(codes) {
      const stuck = (statements.stuck.all() as unknown[]).map((row) => fromRow(row)!)
      const chosen = stuck.filter((intent) => codes === undefined || codes.includes(intent.error ?? ''))
      tell(
        () => chosen.forEach((intent) => statements.retry.run(isWork(intent) ? newId(clock) : intent.idempotency_key, intent.id)),
        true,
      )
      return chosen
    },
    list() {
      const rows = statements.list.all() as (Omit<OutboxItem, 'state'> & { state: OutboxState })[]
      return rows.map((row): OutboxItem => ({ ...row, state: shownState(row, inFlight) }))
    },
    counts: () => statements.counts.get() as { waiting: number; needs_you: number },
    onChange,
  }
}

/** Tells of changes once they are durable: transactions are synchronous, so a microtask runs after the commit. */
function announcer() {
  const listeners: ((isNew: boolean) => void)[] = []
  let isTold = false
  let hasNew = false
  const changed = (isNew: boolean): void => {
    hasNew ||= isNew
    if (isTold) return
    isTold = true
    queueMicrotask(() => {
      const news = hasNew
      isTold = hasNew = false
      for (const listener of listeners) listener(news)
    })
  }
  const tell = (run: () => unknown, isNew = false): void => {
    run()
    changed(isNew)
  }
  return { changed, tell, onChange: (listener: (isNew: boolean) => void) => void listeners.push(listener) }
}

function prepare(db: Sqlite) {
  return {
    insert: db.prepare(`
      insert into outbox (id, kind, client_id, session_id, subject_id, body, idempotency_key, state, created_at)
      values (@id, @kind, @client_id, @session_id, @subject_id, @body, @idempotency_key, 'waiting', @created_at)`),
    sameWaiting: db.prepare(`select 1 from outbox where kind = ? and subject_id = ? and state = 'waiting' and id <> ?`),
    next: db.prepare(`
      select ${fields} from outbox
      where state <> 'needs_you' and id not in (select value from json_each(@deferred)) and not exists (${heldUp})
        and (@passing is null or kind <> @passing or state = 'polling')
      order by kind <> 'revoke-consent', sequence limit 1`),
    find: db.prepare(`select ${fields} from outbox where id = ?`),
    pendingWork: db.prepare(`select ${fields} from outbox where session_id = ? and kind = ? order by sequence desc limit 1`),
    workOf: db.prepare(`
      select ${fields} from outbox where client_id = ? and kind in ('transcribe', 'draft-note', 'analyze') order by sequence`),
    remove: db.prepare('delete from outbox where id = ?'),
    poll: db.prepare(`update outbox set state = 'polling', operation_id = ?, error = null where id = ?`),
    renew: db.prepare(`update outbox set state = 'waiting', operation_id = null, idempotency_key = ? where id = ?`),
    remember: db.prepare('update outbox set body = ? where id = ?'),
    retry: db.prepare(`
      update outbox set state = 'waiting', operation_id = null, idempotency_key = ?, attempts = 0, error = null where id = ?`),
    attempted: db.prepare('update outbox set attempts = attempts + 1, error = ? where id = ?'),
    unreached: db.prepare('update outbox set error = ? where id = ?'),
    held: db.prepare('update outbox set error = @error, attempts = iif(@error is null, 0, attempts) where id = @id'),
    needsYou: db.prepare(`update outbox set state = 'needs_you', attempts = attempts + 1, error = ? where id = ?`),
    stuck: db.prepare(`select ${fields} from outbox where state = 'needs_you' order by sequence`),
    list: db.prepare(`
      select outbox.id, kind, clients.display_name as client_name, outbox.created_at, state, attempts, error
      from outbox left join clients on clients.id = outbox.client_id order by sequence`),
    counts: db.prepare(`
      select count(case when state <> 'needs_you' then 1 end) as waiting, count(case when state = 'needs_you' then 1 end) as needs_you
      from outbox`),
  }
}

function shownState(row: { id: string; state: OutboxState }, inFlight: string | null): OutboxItem['state'] {
  if (row.state === 'needs_you') return 'needs_you'
  return row.id === inFlight || row.state === 'polling' ? 'sending' : 'waiting'
}

function fromRow(row: unknown): StoredIntent | null {
  if (row === undefined) return null
  return { ...(row as StoredIntent), body: JSON.parse((row as Row).body) } as StoredIntent
}
