import type { OutboxItem } from '#contract/bridge/library.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { isDeepStrictEqual } from 'node:util'
import { clientDraftSchema } from '#contract/model/client.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import { type Fields, fieldsOf } from './three-way.ts'
import { type AnyIntent, type IntentKind, isWork, type StoredIntent } from './intents.ts'
import { fromRow, type LineRow, listed, type ListedRow, prepareOutbox, type Statements } from './outbox-rows.ts'

/** `deferred`: ids that wait for a retry. `resting`: kinds that wait for the quota. `passing`: a kind that lets others go first. */
export interface Turn {
  readonly deferred?: readonly string[]
  readonly resting?: readonly IntentKind[]
  readonly passing?: IntentKind
}

/** `held`: must not be sent now. `moves`: changes when, where, or with whom a session takes place. */
export type InLine = Place & { readonly held: boolean; readonly moves: boolean }
export type Place = Pick<StoredIntent, 'id' | 'kind' | 'client_id' | 'subject_id'>

export type ListedItem = Omit<OutboxItem, 'next_attempt_at'>

export interface Outbox {
  add(intent: AnyIntent): void
  next(turn?: Turn): StoredIntent | null
  line(turn: Turn, most: number): Iterable<InLine>
  find(id: string): StoredIntent | null
  pendingWork(sessionId: string, kind: 'transcribe' | 'draft-note' | 'analyze'): StoredIntent | null
  workOf(clientId: string): StoredIntent[]
  begin(id: string): void
  end(id: string): void
  progress(id: string, share: number): void
  remove(id: string): void
  drop(id: string): void
  poll(id: string, operationId: string): void
  renew(id: string): void
  remember(id: string, body: object): void
  attempted(id: string, error: string): void
  unreached(id: string, error: string): void
  held(id: string, error: string | null): void
  needsYou(id: string, error: string): void
  retry(codes?: readonly string[], isOne?: (intent: StoredIntent) => boolean): StoredIntent[]
  retryOne(id: string): StoredIntent | null
  first(id: string): void
  list(most?: number): ListedItem[]
  counts(): { waiting: number; needs_you: number }
  questions(): { conflicts: number; asked: number }
  onChange(listener: (isNew: boolean) => void): void
}

export function createOutbox(db: Sqlite, clock: Clock): Outbox {
  const statements = prepareOutbox(db)
  const { changed, write, onChange } = changeNotifier()
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
    ...questions(statements),
    ...marks(statements, write),
    add(intent) {
      if (isCovered(intent)) return
      const row = { ...intent, body: JSON.stringify(intent.body), id: newId(clock), idempotency_key: newId(clock) }
      write(() => statements.insert.run({ ...row, created_at: timestamp(clock) }), true)
    },
    begin(id) {
      inFlight.add(id)
      write(() => statements.tried.run(id))
    },
    end(id) {
      inFlight.delete(id)
      changed(false)
    },
    progress(id, share) {
      shares.set(id, Math.min(1, Math.max(0, share)))
      changed(false)
    },
    remove: (id) => takeOut(id, false),
    drop: (id) => takeOut(id, true),
    renew(id) {
      const isNew = fromRow(statements.find.get(id))?.state === 'needs_you'
      write(() => statements.renew.run(newId(clock), id), isNew)
    },
    retry(codes, isOne = () => true) {
      const stuck = (statements.stuck.all() as unknown[]).map((row) => fromRow(row)!)
      const chosen = stuck.filter((intent) => (codes === undefined || codes.includes(intent.error ?? '')) && isOne(intent))
      write(() => chosen.forEach(again), true)
      return chosen
    },
    retryOne(id) {
      const intent = fromRow(statements.find.get(id))
      if (intent?.state !== 'needs_you') return null
      write(() => again(intent), true)
      return intent
    },
    first: (id) => write(() => statements.first.run({ id }), true),
    list: (most = -1) => (statements.list.all({ most }) as ListedRow[]).map((row) => listed(row, inFlight, shares)),
    onChange,
  }
}

type Write = ReturnType<typeof changeNotifier>['write']
type Questions = 'next' | 'line' | 'find' | 'pendingWork' | 'workOf' | 'counts' | 'questions'
type Marks = 'poll' | 'remember' | 'attempted' | 'unreached' | 'held' | 'needsYou'

function questions(statements: Statements): Pick<Outbox, Questions> {
  return {
    next: (turn = {}) => fromRow(statements.next.get({ ...namesOf(turn), passing: turn.passing ?? null })),
    *line(turn, most) {
      const isFree = turn.deferred?.length === 0 && turn.resting?.length === 0
      const rows = isFree ? statements.freeLine.iterate({ most }) : statements.line.iterate({ ...namesOf(turn), most })
      for (const row of rows as Iterable<LineRow>) yield { ...row, held: row.held === 1, moves: row.moves === 1 }
    },
    find: (id) => fromRow(statements.find.get(id)),
    pendingWork: (sessionId, kind) => fromRow(statements.pendingWork.get(sessionId, kind)),
    workOf: (clientId) => (statements.workOf.all(clientId) as unknown[]).map((row) => fromRow(row)!),
    counts: () => statements.counts.get() as { waiting: number; needs_you: number },
    questions: () => statements.questions.get() as { conflicts: number; asked: number },
  }
}

function marks(statements: Statements, write: Write): Pick<Outbox, Marks> {
  return {
    poll: (id, operationId) => write(() => statements.poll.run(operationId, id)),
    remember: (id, body) => void statements.remember.run(JSON.stringify(body), id),
    attempted: (id, error) => write(() => statements.attempted.run(error, id)),
    unreached: (id, error) => write(() => statements.unreached.run(error, id)),
    held: (id, error) => write(() => statements.held.run({ id, error })),
    needsYou: (id, error) => write(() => statements.needsYou.run(error, id)),
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
    // Sessions take and free up times in queue order, so an edit must not overtake a later session intent.
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

/** Listeners run in a microtask: transactions are synchronous, so it starts after the commit. */
function changeNotifier() {
  const listeners: ((isNew: boolean) => void)[] = []
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
  return { changed, write, onChange: (listener: (isNew: boolean) => void) => void listeners.push(listener) }
}

export interface Edit {
  readonly patch: Fields
  readonly base: Fields
}

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
