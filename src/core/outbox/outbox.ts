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

/** What may not go now: `deferred`: failed a moment ago and wait, with what depends on them; `resting`: kinds. */
export interface Turn {
  readonly deferred?: readonly string[]
  /** Work that is under way is asked about all the same. */
  readonly resting?: readonly IntentKind[]
  /** Not of this kind, unless its work is under way and to be asked about. */
  readonly passing?: IntentKind
}

/** One in the line; `held`: it is not its turn, whatever else goes; `moves`: a session, to another time or out of it. */
export type InLine = Place & { readonly held: boolean; readonly moves: boolean }
export type Place = Pick<StoredIntent, 'id' | 'kind' | 'client_id' | 'subject_id'>

/** An item as it is stored; what only the loop knows is added to it. */
export type ListedItem = Omit<OutboxItem, 'next_attempt_at'>

export interface Outbox {
  /**
   * Belongs into the transaction of the change it tells of. Wakes the loop once that is durable. An edit of what still
   * waits and was never sent becomes part of that; what undoes itself is not sent at all.
   */
  add(intent: AnyIntent): void
  /** The first intent whose turn it is. */
  next(turn?: Turn): StoredIntent | null
  /** Who stands next in the line, one after the other, to send some of them side by side; nothing else is asked meanwhile. */
  line(turn: Turn, most: number): Iterable<InLine>
  find(id: string): StoredIntent | null
  /** Work on a session that is not done. */
  pendingWork(sessionId: string, kind: 'transcribe' | 'draft-note' | 'analyze'): StoredIntent | null
  /** Work of a client that is not done. */
  workOf(clientId: string): StoredIntent[]
  /** Before it is sent; durable with the transaction it is called in. */
  begin(id: string): void
  end(id: string): void
  /** How much of it is sent, 0 to 1; for those who look, so it is not kept. */
  progress(id: string, share: number): void
  remove(id: string): void
  /** It is not to be sent any more, and what waited for it may go. */
  drop(id: string): void
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
  /** Tries again what needed somebody, or only what failed with one of these codes, and is such a one. */
  retry(codes?: readonly string[], isOne?: (intent: StoredIntent) => boolean): StoredIntent[]
  /** Tries this one again; null where it did not need somebody. */
  retryOne(id: string): StoredIntent | null
  /** Goes before the rest, with all it needs. */
  first(id: string): void
  list(most?: number): ListedItem[]
  counts(): { waiting: number; needs_you: number }
  /** What only somebody can answer, and how many that need somebody wait for such an answer. */
  questions(): { conflicts: number; asked: number }
  /** Called after each change of the table, outside of its transaction; `isNew` where there is more to do. */
  onChange(listener: (isNew: boolean) => void): void
}

export function createOutbox(db: Sqlite, clock: Clock): Outbox {
  const statements = prepareOutbox(db)
  const { changed, tell, onChange } = announcer()
  const inFlight = new Set<string>()
  /** How much of each is sent. */
  const shares = new Map<string, number>()
  const isToldWith = joiner(statements, inFlight, tell)
  const again = (intent: StoredIntent): unknown =>
    statements.retry.run(isWork(intent) ? newId(clock) : intent.idempotency_key, intent.id)

  const takeOut = (id: string, isNew: boolean): void => {
    shares.delete(id)
    tell(() => statements.remove.run(id), isNew)
  }

  return {
    ...questions(statements),
    ...marks(statements, tell),
    add(intent) {
      if (isToldWith(intent)) return
      const row = { ...intent, body: JSON.stringify(intent.body), id: newId(clock), idempotency_key: newId(clock) }
      tell(() => statements.insert.run({ ...row, created_at: timestamp(clock) }), true)
    },
    begin(id) {
      inFlight.add(id)
      tell(() => statements.tried.run(id))
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
      // One that needed somebody may go now.
      const isNew = fromRow(statements.find.get(id))?.state === 'needs_you'
      tell(() => statements.renew.run(newId(clock), id), isNew)
    },
    retry(codes, isOne = () => true) {
      const stuck = (statements.stuck.all() as unknown[]).map((row) => fromRow(row)!)
      const chosen = stuck.filter((intent) => (codes === undefined || codes.includes(intent.error ?? '')) && isOne(intent))
      tell(() => chosen.forEach(again), true)
      return chosen
    },
    retryOne(id) {
      const intent = fromRow(statements.find.get(id))
      if (intent?.state !== 'needs_you') return null
      tell(() => again(intent), true)
      return intent
    },
    first: (id) => tell(() => statements.first.run({ id }), true),
    list: (most = -1) => (statements.list.all({ most }) as ListedRow[]).map((row) => listed(row, inFlight, shares)),
    onChange,
  }
}

type Tell = ReturnType<typeof announcer>['tell']
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

function marks(statements: Statements, tell: Tell): Pick<Outbox, Marks> {
  return {
    poll: (id, operationId) => tell(() => statements.poll.run(operationId, id)),
    remember: (id, body) => void statements.remember.run(JSON.stringify(body), id),
    attempted: (id, error) => tell(() => statements.attempted.run(error, id)),
    unreached: (id, error) => tell(() => statements.unreached.run(error, id)),
    held: (id, error) => tell(() => statements.held.run({ id, error })),
    needsYou: (id, error) => tell(() => statements.needsYou.run(error, id)),
  }
}

/** Whether it is told already with what still waits: then there is nothing to add. */
function joiner(statements: Statements, inFlight: ReadonlySet<string>, tell: Tell): (intent: AnyIntent) => boolean {
  return (intent) => {
    // A record that is sent as it stands needs to be sent once.
    if (intent.kind === 'put-note' || intent.kind === 'put-transcript') {
      const waiting = statements.sameWaiting.all(intent.kind, intent.subject_id) as { id: string }[]
      return waiting.some(({ id }) => !inFlight.has(id))
    }
    const last = fromRow(statements.lastOf.get(intent.subject_id))
    if (last === null || last.tried !== 0 || last.state !== 'waiting' || inFlight.has(last.id)) return false
    const merged = coalesced(last, intent)
    if (merged === null) return false
    // Times are given free and taken in the order of the sessions' intents, so none overtakes another.
    if (intent.kind === 'update-session' && statements.anySessionAfter.get(last.sequence) !== undefined) return false
    tell(() =>
      merged === 'remove' ? statements.remove.run(last.id) : statements.remember.run(JSON.stringify(merged.body), last.id),
    )
    return true
  }
}

const namesOf = ({ deferred = [], resting = [] }: Turn) => ({
  deferred: JSON.stringify(deferred),
  resting: JSON.stringify(resting),
})

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

/** An edit as it is kept: what each field becomes, and what it was. */
export interface Edit {
  readonly patch: Fields
  readonly base: Fields
}

/**
 * Two edits of one record in a row as one. A field's base is what it was before the first of them, so that a merge with
 * what others did still has the right ground; a field that is back to what it was is no edit. Null: nothing is left.
 */
export function joined(earlier: Edit, later: Edit): Edit | null {
  const patch = { ...earlier.patch, ...later.patch }
  const base = { ...later.base, ...earlier.base }
  const names = Object.keys(patch).filter((name) => !isDeepStrictEqual(patch[name], base[name]))
  return names.length === 0 ? null : { patch: only(patch, names), base: only(base, names) }
}

/** A new record with an edit in it; null where it could not be created like that. */
function createdWith(kind: 'create-client' | 'create-session', created: Fields, { patch }: Edit): Fields | null {
  const schema = kind === 'create-client' ? clientDraftSchema : sessionDraftSchema
  const body = schema.safeParse({ ...created, ...patch })
  if (!body.success) return null
  const made: Fields = body.data
  // A field that one is not created with would be lost.
  const isWhole = Object.entries(patch).every(([name, value]) => isDeepStrictEqual(made[name], value))
  return isWhole ? { ...made, id: created['id'] } : null
}

const createdBy: Partial<Record<IntentKind, IntentKind>> = {
  'update-client': 'create-client',
  'update-session': 'create-session',
}

/** What the earlier intent becomes when it takes in the later one; `remove`: they undo each other. Null: both stay. */
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
