import { timestamp } from '#base/clock.ts'
import { routes } from '#contract/rest/routes.ts'
import type { Call, Connection } from '#service/access/call.ts'
import { type ChangeRow, changesAfter, lastChange } from '../store/changes.ts'
import { inPractice, readSnapshot } from '../store/in-practice.ts'
import type { Route } from '#contract/rest/route.ts'
import { idsWithin, type ReachedTable } from '#service/access/reach.ts'
import { reachOf } from '#service/access/authorization.ts'
import type { Database } from '../store/tables.ts'
import { type Following, streamCaller } from './stream-caller.ts'
import type { OperationState, Change, ChangeKind } from '#contract/model/change.ts'
import { requireCurrent, scopeFor } from '#service/access/authorization.ts'
import { operationFor } from '#service/access/replays.ts'
import { getOperation, isOver, type OperationRow } from '../store/operations.ts'

const AT_ONCE = 200

export async function followChanges(
  { db, clock, closing, watch, take }: Following,
  call: Call<'listChanges'>,
  { request, recheck, record }: Connection,
): Promise<Response> {
  const { practice } = call
  const caller = streamCaller(call, { db, clock, route: routes.listChanges, recheck })
  const isNewAfter = (after: number): Promise<boolean> =>
    readSnapshot(db, practice, async (read) => (await changesAfter(read, practice, after, 1)).length > 0)
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
  const { follower, end } = startFollowing({ watch, take }, call)
  let next = await (known === null ? Promise.resolve(nothing(begin)) : pageIfNew(begin)).catch((error: unknown) => {
    end()
    throw error
  })
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

function startFollowing({ watch, take }: Pick<Following, 'watch' | 'take'>, { caller, practice }: Call) {
  const over = take(caller)
  const follower = watch.follow(practice)
  const end = (): void => {
    follower.end()
    over()
  }
  return { follower, end }
}

interface ServerEvent {
  readonly event?: string
  readonly id?: string
  readonly data?: unknown
  readonly retry?: number
  readonly comment?: string
}

const headers = {
  'Content-Type': 'text/event-stream',
  // Without this header, nginx buffers events.
  'X-Accel-Buffering': 'no',
  // A reused connection would delay a shutdown.
  Connection: 'close',
}

/** Calls `over` when the stream ends or the client disconnects. An error ends the stream and is not sent. */
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
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}

const stateOf = ({ status, progress }: OperationRow): string => `${status}-${progress}`

/** Sends `progress` events, then `end`. A client that reconnects after `end` gets 204, so that it stops reconnecting. */
export async function followOperation(
  { db, clock, closing, watch, take }: Following,
  call: Call<'followOperation'>,
  { request, recheck }: Connection,
): Promise<Response> {
  const { practice, params } = call
  const caller = streamCaller(call, { db, clock, route: routes.followOperation, recheck })
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
  const { follower, end } = startFollowing({ watch, take }, call)
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
  readonly readBy: Route
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

type FeedPage = Awaited<ReturnType<typeof feedPage>>

export async function feedPage(
  db: Database,
  call: Pick<Call, 'practice' | 'caller' | 'purpose'>,
  after: number,
  limit: number,
  now: string,
) {
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
