import { setImmediate } from 'node:timers/promises'
import type { AppError } from '#contract/errors.ts'
import type { ServiceClient } from '#client/client.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { Arrival, Intake } from './intake.ts'
import type { Known, PullState, Wanted, WantedKind, WantedRecord } from './pull-state.ts'
import { recordKinds, pulledKinds, type PulledKind } from '#core/sync/record-kinds.ts'
import { isRefusedAlone, type ListQuery, readOne, readPage } from './read-page.ts'

interface Parts {
  readonly state: Pick<PullState, 'walks'>
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

export async function fetchWanted(parts: Parts): Promise<AppError | null> {
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

async function fetchReady(parts: Parts, kind: WantedKind): Promise<AppError | null> {
  const ready = parts.wanted.ready(kind, AT_ONCE)
  let unread: AppError | null = null
  if (kind === 'all-of-client') for (const { id } of ready) unread = (await fetchAllOf(parts, id)) ?? unread
  else if (recordKinds[kind].get === null || (ready.length >= LISTED_FROM && since(ready) !== null))
    unread = await fetchListed(parts, kind, ready)
  else for (const record of ready) await fetchOne(parts, kind, record)
  return unread
}

async function fetchOne(
  { wanted, intake, client, signal }: Parts,
  kind: PulledKind,
  { id, version }: WantedRecord,
): Promise<void> {
  const arrival = await readOne(client, recordKinds[kind].get!, id, signal).then(
    (raw): Arrival => ({ kind, raw: raw ?? { id, version } }),
    (error: unknown): Arrival | null => {
      if (failedWith(error, 'gone')) return { kind, gone: id, version }
      if (failedWith(error, ...outOfReach)) return null
      // A service bug in one record must not block the others: the record is set aside as unreadable.
      if (isRefusedAlone(error)) return { kind, raw: { id, version } }
      throw error
    },
  )
  if (arrival === null) wanted.drop({ kind, id })
  // The fetched version is current, whatever version was reported. A record that was set aside is still wanted.
  else intake.take([arrival], () => wanted.isReady(kind, id) && wanted.drop({ kind, id }))
  await setImmediate()
}

const outOfReach = ['not-offered', 'not-found', 'forbidden', 'purpose-missing', 'consent-missing', 'method-not-allowed'] as const

async function fetchListed(parts: Parts, kind: PulledKind, ready: readonly WantedRecord[]): Promise<AppError | null> {
  const first = since(ready)
  const updated_since = first === null ? undefined : new Date(Date.parse(first) - OVERLAP_MS).toISOString()
  const unread = await walk(parts, kind, updated_since === undefined ? {} : { updated_since })
  if (unread !== null && recordKinds[kind].get === null) return unread
  for (const record of ready) {
    const left = parts.wanted.isReady(kind, record.id)
    if (!left) continue
    if (recordKinds[kind].get === null) parts.wanted.drop({ kind, id: record.id })
    else await fetchOne(parts, kind, record)
  }
  return null
}

function since(records: readonly WantedRecord[]): string | null {
  const times = records.map(({ changed_at }) => changed_at)
  return times.every((time) => time !== null) ? (times.toSorted()[0] ?? null) : null
}

const kindsOfClient = ['session', 'consent', 'transcript', 'note', 'analysis'] as const

async function fetchAllOf(parts: Parts, client_id: string): Promise<AppError | null> {
  let unread: AppError | null = null
  for (const kind of parts.known.has({ kind: 'client', id: client_id }) ? kindsOfClient : [])
    unread = (await walk(parts, kind, { client_id })) ?? unread
  if (unread === null) parts.wanted.drop({ kind: 'all-of-client', id: client_id })
  return unread
}

async function walk({ state, intake, client, signal }: Parts, kind: PulledKind, query: ListQuery): Promise<AppError | null> {
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
    // A list that was readable before counts as failed, not as inaccessible, after a 404: it may come from a gateway.
    const isThere = state.walks().some((one) => one.kind === kind && one.state !== 'refused')
    if (!failedWith(error, ...outOfReach) || (failedWith(error, 'not-found') && isThere)) return error
    return null
  }
}
