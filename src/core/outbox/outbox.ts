import type { OutboxItem } from '#contract/bridge/library.ts'
import { isSample } from '#contract/bridge/sample.ts'
import { AppError } from '#contract/errors.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { isDeepStrictEqual } from 'node:util'
import { clientDraftSchema } from '#contract/model/client.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import { type Fields, fieldsOf } from './three-way.ts'
import { type AnyIntent, type IntentKind, isWork, type OutboxState, type StoredIntent, type WorkIntent } from './intents.ts'
import { prepareOutbox, type Statements } from './outbox-sql.ts'

/**
 * `deferred`: ids of intents that must not be sent now. `resting` and `passing`: kinds that must not be sent now, except intents
 * whose work is already being polled. Only `next` uses `passing`.
 */
export interface Turn {
  readonly deferred?: readonly string[]
  readonly resting?: readonly IntentKind[]
  readonly passing?: IntentKind
}

export type Place = Pick<StoredIntent, 'id' | 'kind' | 'client_id' | 'subject_id'>
/** `held`: must not be sent now. `moves`: updates one of the `timingFields` of a session. */
export type InLine = Place & { readonly held: boolean; readonly moves: boolean }

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(db: Sqlite, clock: Clock) {
  const statements = prepareOutbox(db)
  const { changed, write, ...listening } = changeNotifier()
  const inFlight = new Set<string>()
  const shares = new Map<string, number>()
  const isCovered = coalescer(statements, inFlight, write)
  const again = (intent: StoredIntent): unknown =>
    statements.retry.run(isWork(intent) ? newId(clock) : intent.idempotency_key, intent.id)
  const takeOut = (id: string, isNew: boolean): void => {
    shares.delete(id)
    write(() => statements.remove.run(id), isNew)
  }
  return {
    ...reads(statements),
    ...marks(statements, write),
    add(intent: AnyIntent): void {
      if (isSample(intent.client_id)) return refuseWork(intent)
      if (isCovered(intent)) return
      const row = { ...intent, body: JSON.stringify(intent.body), id: newId(clock), idempotency_key: newId(clock) }
      write(() => statements.insert.run({ ...row, created_at: timestamp(clock) }), true)
    },
    begin(id: string): void {
      inFlight.add(id)
      write(() => statements.tried.run(id))
    },
    end(id: string): void {
      inFlight.delete(id)
      changed(false)
    },
    progress(id: string, share: number): void {
      shares.set(id, Math.min(1, Math.max(0, share)))
      changed(false)
    },
    remove: (id: string) => takeOut(id, false),
    /** Unlike `remove`, wakes the sync loop, because other intents may have waited for this one. */
    drop: (id: string) => takeOut(id, true),
    renew(id: string): void {
      const isNew = fromRow(statements.find.get(id))?.state === 'needs_you'
      write(() => statements.renew.run(newId(clock), id), isNew)
    },
    retry(codes?: readonly string[], isOne: (intent: StoredIntent) => boolean = () => true): StoredIntent[] {
      const chosen = rowsOf(statements.stuck.all()).filter(
        (intent) => (codes === undefined || codes.includes(intent.error ?? '')) && isOne(intent),
      )
      write(() => chosen.forEach(again), true)
      return chosen
    },
    retryOne(id: string): StoredIntent | null {
      const intent = fromRow(statements.find.get(id))
      if (intent?.state !== 'needs_you') return null
      write(() => again(intent), true)
      return intent
    },
    first: (id: string) => write(() => statements.first.run({ id }), true),
    list: (most = -1) => (statements.list.all({ most }) as ListedRow[]).map((row) => listed(row, inFlight, shares)),
    ...listening,
  }
}

/** The sample is never sent, so work that needs a service can't be done for it. */
function refuseWork(intent: AnyIntent): void {
  const isNewSession = intent.kind === 'create-session' && !isSample(intent.subject_id)
  if (isWork(intent) || isNewSession) throw new AppError('conflict', 'This is a sample.')
}

type Write = ReturnType<typeof changeNotifier>['write']
type Counts = { readonly waiting: number; readonly needs_you: number }
type Questions = { readonly conflicts: number; readonly asked: number }

function reads(statements: Statements) {
  return {
    next: (turn: Turn = {}) => fromRow(statements.next.get({ ...namesOf(turn), passing: turn.passing ?? null })),
    /** Don't write to the database during the iteration, because better-sqlite3 refuses writes until it ends. */
    *line(turn: Turn, most: number): Iterable<InLine> {
      const isFree = turn.deferred?.length === 0 && turn.resting?.length === 0
      const rows = isFree ? statements.freeLine.iterate({ most }) : statements.line.iterate({ ...namesOf(turn), most })
      for (const row of rows as Iterable<Place & { held: number; moves: number }>)
        yield { ...row, held: row.held === 1, moves: row.moves === 1 }
    },
    find: (id: string) => fromRow(statements.find.get(id)),
    pendingWork: (sessionId: string, kind: WorkIntent) => fromRow(statements.pendingWork.get(sessionId, kind)),
    workOf: (clientId: string) => rowsOf(statements.workOf.all(clientId)),
    counts: () => statements.counts.get() as Counts,
    questions: () => statements.questions.get() as Questions,
  }
}

const marks = (statements: Statements, write: Write) => ({
  poll: (id: string, operationId: string) => write(() => statements.poll.run(operationId, id)),
  remember: (id: string, body: object): void => void statements.remember.run(JSON.stringify(body), id),
  attempted: (id: string, error: string) => write(() => statements.attempted.run(error, id)),
  /** Stores the error without counting an attempt. */
  unreached: (id: string, error: string) => write(() => statements.unreached.run(error, id)),
  /** Stores the error without counting an attempt. Null also resets the attempt count. */
  held: (id: string, error: string | null) => write(() => statements.held.run({ id, error })),
  needsYou: (id: string, error: string) => write(() => statements.needsYou.run(error, id)),
})

function fromRow(row: unknown): StoredIntent | null {
  if (row === undefined) return null
  return { ...(row as StoredIntent), body: JSON.parse((row as { readonly body: string }).body) } as StoredIntent
}

const rowsOf = (rows: readonly unknown[]): StoredIntent[] => rows.map((row) => fromRow(row)!)

type ListedRow = Omit<OutboxItem, 'state' | 'progress' | 'waits_for' | 'first' | 'asked' | 'next_attempt_at'> & {
  readonly state: OutboxState
  readonly chosen: number
  readonly asked: number
  readonly needs: string
}

function listed({ chosen, needs, ...row }: ListedRow, inFlight: ReadonlySet<string>, shares: ReadonlyMap<string, number>) {
  const waits_for = JSON.parse(needs) as { id: string; kind: string; needs_you: number }[]
  const isSending = inFlight.has(row.id) || row.state === 'polling'
  return {
    ...row,
    state: row.state === 'needs_you' ? row.state : isSending ? ('sending' as const) : ('waiting' as const),
    progress: shares.get(row.id) ?? null,
    waits_for: waits_for.map((need) => ({ ...need, needs_you: need.needs_you === 1 })),
    first: chosen === 1,
    asked: row.asked === 1,
  }
}

function coalescer(statements: Statements, inFlight: ReadonlySet<string>, write: Write): (intent: AnyIntent) => boolean {
  return (intent) => {
    // Both kinds send the current state of the record, so one queued intent is enough.
    if (intent.kind === 'put-note' || intent.kind === 'put-transcript') {
      const waiting = statements.sameWaiting.all(intent.kind, intent.subject_id) as { id: string }[]
      return waiting.some(({ id }) => !inFlight.has(id))
    }
    const last = fromRow(statements.lastOf.get(intent.subject_id))
    if (last === null || last.tried !== 0 || last.state !== 'waiting' || inFlight.has(last.id)) return false
    const merged = coalesced(last, intent)
    if (merged === null) return false
    // Don't merge if another session intent was queued in between: sessions take and free up times in queue order.
    if (intent.kind === 'update-session' && statements.anySessionAfter.get(last.sequence) !== undefined) return false
    write(() =>
      merged === 'remove' ? statements.remove.run(last.id) : statements.remember.run(JSON.stringify(merged.body), last.id),
    )
    return true
  }
}

const namesOf = ({ deferred = [], resting = [] }: Turn) => ({
  deferred: JSON.stringify(deferred),
  resting: JSON.stringify(resting),
})

/** Listeners run in a microtask, after the current synchronous transaction has ended. */
function changeNotifier() {
  const listeners = new Set<(isNew: boolean) => void>()
  let isScheduled = false
  let hasNew = false
  const changed = (isNew: boolean): void => {
    hasNew ||= isNew
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => {
      const news = hasNew
      isScheduled = hasNew = false
      for (const listener of listeners) listener(news)
    })
  }
  const write = (run: () => unknown, isNew = false): void => {
    run()
    changed(isNew)
  }
  /** `isNew`: an intent may have become ready to send. Returns a function that removes the listener. */
  const onChange = (listener: (isNew: boolean) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  /** Listens while `isNeeded` returns true. Call the returned function to begin, and whenever that result may have changed. */
  const onChangeWhile = (isNeeded: () => boolean, listener: (isNew: boolean) => void) => {
    let stop: (() => void) | null = null
    return (): void => {
      if (isNeeded()) stop ??= onChange(listener)
      else {
        stop?.()
        stop = null
      }
    }
  }
  return { changed, write, onChange, onChangeWhile }
}

export type Edit = Readonly<Record<'patch' | 'base', Fields>>

export function joined(earlier: Edit, later: Edit): Edit | null {
  const patch = { ...earlier.patch, ...later.patch }
  const base = { ...later.base, ...earlier.base }
  const names = Object.keys(patch).filter((name) => !isDeepStrictEqual(patch[name], base[name]))
  return names.length === 0 ? null : { patch: only(patch, names), base: only(base, names) }
}

function createdWith(kind: 'create-client' | 'create-session', created: Fields, { patch }: Edit): Fields | null {
  const schema = kind === 'create-client' ? clientDraftSchema : sessionDraftSchema
  const body = schema.safeParse({ ...created, ...patch })
  if (!body.success) return null
  const made: Fields = body.data
  // The schema drops fields that a creation does not have. If it drops any, the edit must be sent separately.
  const isWhole = Object.entries(patch).every(([name, value]) => isDeepStrictEqual(made[name], value))
  return isWhole ? { ...made, id: created['id'] } : null
}

const createdBy: Partial<Record<IntentKind, IntentKind>> = {
  'update-client': 'create-client',
  'update-session': 'create-session',
}

export function coalesced(earlier: AnyIntent, later: AnyIntent): { readonly body: object } | 'remove' | null {
  if (later.kind !== 'update-client' && later.kind !== 'update-session') return null
  const edit = later.body as Edit
  if (earlier.kind === later.kind) {
    const body = joined(earlier.body as Edit, edit)
    return body === null ? 'remove' : { body }
  }
  if (earlier.kind !== createdBy[later.kind]) return null
  const body = createdWith(earlier.kind as 'create-client' | 'create-session', fieldsOf(earlier.body), edit)
  return body === null ? null : { body }
}

const only = (fields: Fields, names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, fields[name]]))
