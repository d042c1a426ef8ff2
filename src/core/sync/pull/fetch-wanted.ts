import { setImmediate } from 'node:timers/promises'
import type { ServiceClient } from '#client/client.ts'
import { failedWith } from '#core/sync/sending.ts'
import type { Arrival, Intake } from './intake.ts'
import type { Known } from './known.ts'
import { pulled, pulledKinds, type PulledKind } from './pulled-kinds.ts'
import { type ListQuery, readOne, readPage } from './read-page.ts'
import type { Wanted, WantedRecord } from './wanted.ts'

interface Parts {
  readonly wanted: Wanted
  readonly intake: Intake
  readonly known: Known
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

/** From so many on a list is asked for what changed since the first of them, instead of each by itself. */
const listedFrom = 20
const atOnce = 500
/** A record may be told of with an earlier time than one that was told of before it. */
export const overlapMs = 10 * 60_000

/** Everything that is known to have changed, parents first, until there is no more of it to be had. */
export async function fetchWanted(parts: Parts): Promise<void> {
  for (let kind = nextKind(parts.wanted); kind !== null; kind = nextKind(parts.wanted)) {
    const ready = parts.wanted.ready(kind, atOnce)
    if (kind === 'all-of-client') for (const { id } of ready) await fetchAllOf(parts, id)
    else if (pulled[kind].get === null || (ready.length >= listedFrom && since(ready) !== null))
      await fetchListed(parts, kind, ready)
    else for (const record of ready) await fetchOne(parts, kind, record)
  }
  parts.intake.tell()
}

const nextKind = (wanted: Wanted) => [...pulledKinds, 'all-of-client' as const].find((kind) => wanted.count(kind) > 0) ?? null

async function fetchOne(
  { wanted, intake, client, signal }: Parts,
  kind: PulledKind,
  { id, version }: WantedRecord,
): Promise<void> {
  const arrival = await readOne(client, pulled[kind].get!, id, signal).then(
    (raw): Arrival => ({ kind, raw: raw ?? { id, version } }),
    (error: unknown): Arrival | null => {
      if (failedWith(error, 'gone')) return { kind, gone: id, version }
      // Out of reach by now: what was known of it stays here.
      if (failedWith(error, ...outOfReach)) return null
      // A bug over there must not keep all others from coming.
      if (failedWith(error, 'internal')) return { kind, raw: { id, version } }
      throw error
    },
  )
  if (arrival === null) wanted.drop({ kind, id })
  // What came is how it stands, whatever version was told of; what is put aside stays.
  else intake.take([arrival], () => wanted.isReady(kind, id) && wanted.drop({ kind, id }))
  await setImmediate()
}

const outOfReach = ['not-offered', 'not-found', 'forbidden', 'purpose-missing', 'consent-missing', 'method-not-allowed'] as const

/** By a list of what changed since; what it does not show is asked for by itself, or out of reach where that cannot be. */
async function fetchListed(parts: Parts, kind: PulledKind, ready: readonly WantedRecord[]): Promise<void> {
  const first = since(ready)
  const updated_since = first === null ? undefined : new Date(Date.parse(first) - overlapMs).toISOString()
  await walk(parts, kind, updated_since === undefined ? {} : { updated_since })
  for (const record of ready) {
    const left = parts.wanted.isReady(kind, record.id)
    if (!left) continue
    if (pulled[kind].get === null) parts.wanted.drop({ kind, id: record.id })
    else await fetchOne(parts, kind, record)
  }
}

/** The first of the times that are known; null where one is not. */
function since(records: readonly WantedRecord[]): string | null {
  const times = records.map(({ changed_at }) => changed_at)
  return times.every((time) => time !== null) ? (times.toSorted()[0] ?? null) : null
}

const kindsOfClient = ['session', 'consent', 'transcript', 'note', 'analysis'] as const

async function fetchAllOf(parts: Parts, client_id: string): Promise<void> {
  for (const kind of parts.known.has({ kind: 'client', id: client_id }) ? kindsOfClient : [])
    await walk(parts, kind, { client_id })
  parts.wanted.drop({ kind: 'all-of-client', id: client_id })
}

async function walk({ intake, client, signal }: Parts, kind: PulledKind, query: ListQuery): Promise<void> {
  try {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await readPage(client, kind, cursor === undefined ? query : { ...query, cursor }, signal)
      intake.take(page.arrivals, () => {})
      cursor = page.next
      await setImmediate()
    }
  } catch (error) {
    // Not for this role, or not as a list.
    if (!failedWith(error, ...outOfReach, 'internal')) throw error
  }
}
