import { setImmediate } from 'node:timers/promises'
import { AppError, type ErrorCode, errorKinds } from '#contract/errors.ts'
import type { ServiceClient } from '#client/client.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { Arrival, Intake } from './intake.ts'
import type { Known, PullState, Wanted, WantedKind, WantedRecord, Walk } from './pull-state.ts'
import { recordKinds, pulledKinds, type PulledKind } from '#core/sync/record-kinds.ts'
import { z } from 'zod'
import { idSchema } from '#contract/model/common.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { jsonOf } from '#client/answer.ts'

export interface Reading {
  readonly state: PullState
  readonly wanted: Wanted
  readonly intake: Intake
  readonly known: Known
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

const LISTED_FROM = 20
const AT_ONCE = 500
/** A change may be committed with an earlier time than one seen before, so lists overlap by this much. */
export const OVERLAP_MS = 10 * 60_000

export async function fetchWanted(parts: Reading): Promise<AppError | null> {
  const left = new Map<WantedKind, AppError>()
  for (let kind = nextKind(parts.wanted, left); kind !== null; kind = nextKind(parts.wanted, left)) {
    const unread = await fetchReady(parts, kind)
    if (unread !== null) left.set(kind, unread)
  }
  parts.intake.notify()
  return [...left.values()][0] ?? null
}

const nextKind = (wanted: Wanted, left: ReadonlyMap<WantedKind, AppError>): WantedKind | null =>
  [...pulledKinds, 'all-of-client' as const].find((kind) => !left.has(kind) && wanted.count(kind) > 0) ?? null

async function fetchReady(parts: Reading, kind: WantedKind): Promise<AppError | null> {
  const ready = parts.wanted.ready(kind, AT_ONCE)
  let unread: AppError | null = null
  if (kind === 'all-of-client') for (const { id } of ready) unread = (await fetchAllOf(parts, id)) ?? unread
  else if (recordKinds[kind].get === null || (ready.length >= LISTED_FROM && since(ready) !== null))
    unread = await fetchListed(parts, kind, ready)
  else for (const record of ready) await fetchOne(parts, kind, record)
  return unread
}

async function fetchOne(
  { wanted, intake, client, signal }: Reading,
  kind: PulledKind,
  { id, version }: WantedRecord,
): Promise<void> {
  const arrival = await readOne(client, recordKinds[kind].get!, id, signal).then(
    (raw): Arrival => ({ kind, raw: raw ?? { id, version } }),
    (error: unknown): Arrival | null => {
      if (failedWith(error, 'gone')) return { kind, gone: id, version }
      if (failedWith(error, ...outOfReach)) return null
      if (isRefusedAlone(error)) return { kind, raw: { id, version } }
      throw error
    },
  )
  if (arrival === null) wanted.drop({ kind, id })
  // Drop the record, whatever version was reported, unless it was set aside.
  else intake.take([arrival], () => wanted.isReady(kind, id) && wanted.drop({ kind, id }))
  await setImmediate()
}

const outOfReach = ['not-offered', 'not-found', 'forbidden', 'purpose-missing', 'consent-missing', 'method-not-allowed'] as const

async function fetchListed(parts: Reading, kind: PulledKind, ready: readonly WantedRecord[]): Promise<AppError | null> {
  const first = since(ready)
  const query = first === null ? {} : { updated_since: new Date(Date.parse(first) - OVERLAP_MS).toISOString() }
  const unread = await walk(parts, kind, query)
  const isListedOnly = recordKinds[kind].get === null
  if (unread !== null && isListedOnly) return unread
  for (const record of ready) {
    if (!parts.wanted.isReady(kind, record.id)) continue
    if (isListedOnly) parts.wanted.drop({ kind, id: record.id })
    else await fetchOne(parts, kind, record)
  }
  return null
}

function since(records: readonly WantedRecord[]): string | null {
  const times = records.map(({ changed_at }) => changed_at)
  return times.every((time) => time !== null) ? (times.toSorted()[0] ?? null) : null
}

const kindsOfClient = ['session', 'consent', 'transcript', 'note', 'analysis'] as const

async function fetchAllOf(parts: Reading, client_id: string): Promise<AppError | null> {
  let unread: AppError | null = null
  for (const kind of parts.known.has({ kind: 'client', id: client_id }) ? kindsOfClient : [])
    unread = (await walk(parts, kind, { client_id })) ?? unread
  if (unread === null) parts.wanted.drop({ kind: 'all-of-client', id: client_id })
  return unread
}

async function walk({ state, intake, client, signal }: Reading, kind: PulledKind, query: ListQuery): Promise<AppError | null> {
  try {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await readPage(client, kind, cursor === undefined ? query : { ...query, cursor }, signal)
      intake.take(page.arrivals, () => {})
      cursor = page.next
      await setImmediate()
    }
    return null
  } catch (error) {
    if (!isRefusedAlone(error)) throw error
    // A 404 may come from a gateway, so count it as a failure, unless the list was inaccessible before.
    const isThere = state.walks().some((one) => one.kind === kind && one.state !== 'refused')
    if (!failedWith(error, ...outOfReach) || (failedWith(error, 'not-found') && isThere)) return error
    return null
  }
}

interface ListPage {
  readonly arrivals: readonly Arrival[]
  readonly next: string | null
  readonly newest: string | null
}

export type ListQuery = Readonly<Partial<Record<'cursor' | 'updated_since' | 'client_id', string>>>

/** Records are parsed one by one later, so an invalid one doesn't affect the others. */
const pageSchema = z.object({
  data: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
  deleted: z
    .array(
      z
        .object({ id: idSchema, updated_at: z.string().optional(), version: z.int().min(1).catch(1) })
        .nullable()
        .catch(null),
    )
    .optional(),
})
const changedSchema = z.object({ updated_at: z.iso.datetime() })

export async function readPage(
  client: ServiceClient,
  kind: PulledKind,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ListPage> {
  const { list, page: limit } = recordKinds[kind]
  const response = await client.ask(list as 'listSessions', { query: { ...query, limit }, signal })
  const page = pageSchema.safeParse(await jsonOf(response, signal))
  if (!page.success) throw new AppError('service-unreachable', 'The service answers something that is not in its contract.')
  const { data, deleted = [], next_cursor = null } = page.data
  const tombstones = deleted.filter((tombstone) => tombstone !== null)
  const times = [...data, ...tombstones].flatMap((item) => changedSchema.safeParse(item).data?.updated_at ?? [])
  return {
    arrivals: [...data.map((raw) => ({ kind, raw })), ...tombstones.map(({ id, version }) => ({ kind, gone: id, version }))],
    // A service that returns the same cursor again must not cause an endless loop.
    next: next_cursor === query.cursor ? null : next_cursor,
    newest: times.toSorted().at(-1) ?? null,
  }
}

export async function readOne(client: ServiceClient, operation: OperationId, id: string, signal: AbortSignal): Promise<unknown> {
  return jsonOf(await client.ask(operation as 'getClient', { params: { id }, signal }), signal)
}

const notOffered = ['not-offered', 'forbidden', 'purpose-missing', 'not-found', 'method-not-allowed'] as const

/** @param isComplete true if the lists accept `updated_since`, so that they are in order of change and include deletions */
export async function walkLists(parts: Omit<Reading, 'wanted' | 'known'>, isComplete: boolean): Promise<AppError | null> {
  let left: AppError | null = null
  for (const walk of parts.state.walks()) {
    if (walk.state !== 'walking') continue
    try {
      await walkOne(parts, walk, isComplete ? { updated_since: walk.since } : {})
    } catch (error) {
      if (failedWith(error, ...notOffered)) parts.state.refuse(walk.kind)
      // The cursor may be from another version of the service.
      else if (walk.cursor !== null && failedWith(error, 'validation-failed')) parts.state.beginWalk(walk.kind, walk.since)
      else if (isRefusedAlone(error) || failedWith(error, 'quota-exceeded')) left = error
      else throw error
    }
    parts.intake.notify()
  }
  return left
}

async function walkOne(
  { state, intake, client, signal }: Omit<Reading, 'wanted' | 'known'>,
  { kind, cursor }: Walk,
  query: ListQuery,
): Promise<void> {
  const first = cursor === null ? query : { ...query, cursor }
  for await (const { arrivals, next, newest } of pagesOf(first, (asked) => readPage(client, kind, asked, signal)))
    intake.take(arrivals, () => state.walked(kind, next, newest))
}

/** Requests the next page while a page is applied. Yields in between, so that other calls get their turn. */
async function* pagesOf(first: ListQuery, read: (query: ListQuery) => Promise<ListPage>): AsyncGenerator<ListPage> {
  let coming: Promise<ListPage> | null = read(first)
  while (coming !== null) {
    const page: ListPage = await coming
    coming = page.next === null ? null : read({ ...first, cursor: page.next })
    // Prevents an unhandled rejection: if applying this page fails, the promise is not awaited.
    coming?.catch(() => {})
    yield page
    await setImmediate()
  }
}

const ofAll: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'cursor-expired'])

/** True if only this request failed, so that others may succeed. */
function isRefusedAlone(error: unknown): error is AppError {
  return error instanceof AppError && !errorKinds[error.code].retryable && !ofAll.has(error.code)
}
