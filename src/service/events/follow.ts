import { timestamp } from '#base/clock.ts'
import { routes } from '#contract/rest/routes.ts'
import type { Call, Connection } from '#service/access/call.ts'
import { changesAfter, lastChange } from '../store/changes.ts'
import { inPractice, readSnapshot } from '../store/in-practice.ts'
import type { Route } from '#contract/rest/route.ts'
import type { ReachedTable } from '#service/access/reach.ts'
import { idsWithin } from '#service/access/reach.ts'
import { reachOf } from '#service/kernel/caller.ts'
import type { ChangeRow } from '../store/changes.ts'
import type { Database } from '../store/tables.ts'
import type { Following } from './stream-caller.ts'
import { streamCaller } from './stream-caller.ts'
import type { OperationState, Change, ChangeKind } from '#contract/model/change.ts'
import { requireCurrent, scopeFor } from '#service/access/facts.ts'
import { operationFor } from '#service/access/reach-operation.ts'
import type { OperationRow } from '../store/operations.ts'
import { getOperation, isOver } from '../store/operations.ts'

const AT_ONCE = 200

/** Changes as they come, each with its cursor as the event's id; `here` says where the feed stands at the beginning. */
export async function followChanges(
  { db, clock, closing, watch, take }: Following,
  call: Call<'listChanges'>,
  { request, recheck, record }: Connection,
): Promise<Response> {
  const { practice } = call
  const caller = streamCaller(call, { db, clock, route: routes.listChanges, recheck })
  /** Read beside the practice's lock. @throws AppError `cursor-expired` */
  const isNewAfter = (after: number): Promise<boolean> =>
    readSnapshot(db, practice, async (read) => (await changesAfter(read, practice, after, 1)).length > 0)
  /** As whoever reads it is let in, and reaches, at this moment. What is told is on record before it leaves. */
  const page = (after: number): Promise<FeedPage> =>
    caller.asOfNow((asked) =>
      inPractice(db, practice, async (write) => {
        const found = await feedPage(write, asked, after, AT_ONCE, timestamp(clock))
        if (found.changes.length > 0) await record(write, 200, [...new Set(found.changes.map(({ id }) => id))])
        return found
      }),
    )
  const nothing = (last: number): FeedPage => ({ changes: [], last, more: false })
  const pageIfNew = async (after: number): Promise<FeedPage> => ((await isNewAfter(after)) ? await page(after) : nothing(after))
  const given = request.headers.get('last-event-id') ?? call.query.since
  const known = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : null
  const begin = known ?? (await readSnapshot(db, practice, (read) => lastChange(read, practice)))
  const over = take(call.caller)
  // Too old a cursor is said before anything is streamed.
  let next = await (known === null ? Promise.resolve(nothing(begin)) : pageIfNew(begin)).catch((error: unknown) => {
    over()
    throw error
  })
  const follower = watch.follow(practice)
  const end = (): void => {
    follower.end()
    over()
  }
  return eventStream({ closing, over: end }, async function* changes(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 2000, event: 'here', id: String(begin), data: { cursor: String(begin) } }
    for (;;) {
      for (const change of next.changes) yield { event: 'change', id: change.cursor, data: change }
      const { last, more } = next
      if (more || (await follower.until(({ last_change }) => last_change > last, signal))) {
        await caller.renew()
        next = await page(last)
      } else {
        await caller.renewIfChanged(follower)
        next = nothing(last)
        yield { comment: 'still here' }
      }
    }
  })
}

/** As WHATWG HTML, 9.2.6 writes it. */
interface ServerEvent {
  readonly event?: string
  readonly id?: string
  readonly data?: unknown
  /** Milliseconds before a lost line is tried again. */
  readonly retry?: number
  /** Read by nobody: keeps the line open. */
  readonly comment?: string
}

const headers = {
  'Content-Type': 'text/event-stream',
  // Else nginx gathers them.
  'X-Accel-Buffering': 'no',
  // A line that is kept for another call would hold up a service that closes.
  Connection: 'close',
}

/**
 * Events as they come, until there are no more, the other end is gone, or the service closes. What goes wrong in
 * between ends the stream; its reader comes back and is told. `over` is called once it ended, however it did.
 */
function eventStream(
  { closing, over }: { readonly closing: AbortSignal; readonly over: () => void },
  events: (signal: AbortSignal) => AsyncGenerator<ServerEvent>,
): Response {
  const gone = new AbortController()
  const running = events(AbortSignal.any([closing, gone.signal]))
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await running.next().catch(() => null)
      if (next !== null && !next.done) return controller.enqueue(encoder.encode(written(next.value)))
      over()
      controller.close()
    },
    cancel: () => {
      gone.abort()
      over()
    },
  })
  return new Response(body, { headers })
}

function written({ comment, retry, event, id, data }: ServerEvent): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    // JSON has no line breaks of its own.
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}

/** The state itself, so that whoever comes back is told only what is new since. */
const stateOf = ({ status, progress }: OperationRow): string => `${status}-${progress}`

/** `progress` events until the one called `end`. Whoever comes back having read that is told to stay away (204). */
export async function followOperation(
  { db, clock, closing, watch, take }: Following,
  call: Call<'followOperation'>,
  { request, recheck }: Connection,
): Promise<Response> {
  const { practice, params } = call
  const caller = streamCaller(call, { db, clock, route: routes.followOperation, recheck })
  /** As far as the caller reaches at this moment, read beside the practice's lock. @throws AppError `not-found` */
  const look = (): Promise<OperationRow> =>
    caller.asOfNow((asked) =>
      readSnapshot(db, practice, async (read) => {
        await requireCurrent(read, asked.caller)
        return operationFor(read, asked)
      }),
    )
  const isNew = async (shown: string | null): Promise<boolean> =>
    stateOf(await readSnapshot(db, practice, (read) => getOperation(read, practice, params.id))) !== shown
  const last = request.headers.get('last-event-id')
  const over = take(call.caller)
  const follower = watch.follow(practice)
  const end = (): void => {
    follower.end()
    over()
  }
  // What is not there, or not the caller's, is said before anything is streamed.
  const found = await look().catch((error: unknown) => {
    end()
    throw error
  })
  if (isOver(found.status) && last === stateOf(found)) {
    end()
    return new Response(null, { status: 204 })
  }
  return eventStream({ closing, over: end }, async function* states(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 1000 }
    let shown = last
    let seen = follower.state()?.work_steps ?? null
    for (let row = found; ;) {
      const state = stateOf(row)
      if (state !== shown) yield { event: isOver(row.status) ? 'end' : 'progress', id: state, data: shownOf(row) }
      shown = state
      if (isOver(row.status)) return
      if (await follower.until(({ work_steps }) => work_steps !== seen, signal)) {
        seen = follower.state()?.work_steps ?? null
        if (!(await isNew(shown))) continue
        // A step of this work: whoever follows it is let in again before they hear of it.
        await caller.renew()
        row = await look()
      } else {
        await caller.renewIfChanged(follower)
        yield { comment: 'still here' }
      }
    }
  })
}

function shownOf({ id, kind, status, progress, created_at, updated_at }: OperationRow): OperationState {
  return { id, kind, status, progress, created_at, updated_at }
}

interface Kind {
  /** Whoever may read these there is told of them here. */
  readonly readBy: Route
  /** Where a record may be out of somebody's reach; null where all of them are everyone's. */
  readonly table: ReachedTable | null
}

const kinds: Readonly<Record<ChangeKind, Kind>> = {
  client: { readBy: routes.listClients, table: 'clients' },
  session: { readBy: routes.listSessions, table: 'sessions' },
  consent: { readBy: routes.listConsents, table: 'consents' },
  transcript: { readBy: routes.listTranscripts, table: 'transcripts' },
  note: { readBy: routes.listNotes, table: 'notes' },
  analysis: { readBy: routes.listAnalyses, table: 'analyses' },
  template: { readBy: routes.listTemplates, table: null },
  staff: { readBy: routes.listStaff, table: null },
  room: { readBy: routes.listRooms, table: null },
  availability: { readBy: routes.listAvailability, table: null },
  coverage: { readBy: routes.listCoverage, table: 'coverages' },
  authorisation: { readBy: routes.listAuthorisations, table: 'authorisations' },
  payer: { readBy: routes.listPayers, table: null },
}

interface FeedPage {
  readonly changes: readonly Change[]
  /** The last that was looked at, told or not. */
  readonly last: number
  readonly more: boolean
}

/**
 * What changed after this number, as far as the caller reaches at this moment.
 *
 * @throws AppError `cursor-expired`
 */
export async function feedPage(
  db: Database,
  call: Pick<Call, 'practice' | 'caller' | 'purpose'>,
  after: number,
  limit: number,
  now: string,
): Promise<FeedPage> {
  const found = await changesAfter(db, call.practice, after, limit + 1)
  const rows = found.slice(0, limit)
  const visible = new Set<string>()
  for (const [kind, changed] of Map.groupBy(rows, (row) => row.kind))
    for (const id of await visibleOf(db, call, kind as ChangeKind, changed, now)) visible.add(`${kind} ${id}`)
  const told = rows.filter(({ kind, record_id }) => visible.has(`${kind} ${record_id}`))
  return { changes: told.map(changeOf), last: rows.at(-1)?.seq ?? after, more: found.length > limit }
}

async function visibleOf(
  db: Database,
  { practice, caller, purpose }: Pick<Call, 'practice' | 'caller' | 'purpose'>,
  kind: ChangeKind,
  rows: readonly ChangeRow[],
  now: string,
): Promise<Iterable<string>> {
  const { readBy, table } = kinds[kind]
  if (reachOf(caller, readBy) === 'none') return []
  const ids = [...new Set(rows.map(({ record_id }) => record_id))]
  return table === null ? ids : idsWithin(db, practice, await scopeFor(db, caller, readBy, purpose, now), table, ids)
}

function changeOf({ seq, kind, record_id, version, deleted, at }: ChangeRow): Change {
  return { cursor: String(seq), kind: kind as ChangeKind, id: record_id, version, deleted: deleted !== 0, at }
}
