import type { Sqlite } from '#base/sqlite.ts'
import type { ServiceClient } from '#client/client.ts'
import { failedWith } from '#core/outbox/sending.ts'
import { feedHead } from './change-feed.ts'
import { OVERLAP_MS } from './fetch-wanted.ts'
import { fromTheBeginning, type PullState, type Walk } from './pull-state.ts'
import { recordKinds, pulledKinds, type PulledKind } from '#core/sync/record-kinds.ts'

/** What a service says it offers. */
export interface Offered {
  has(capability: string): boolean
  /** The ten published operations alone. */
  readonly is_plain: boolean
}

interface Parts {
  readonly db: Sqlite
  readonly state: PullState
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

/** The list of clients is published; every other one is an extension. */
export const kindsOf = (offered: Offered): PulledKind[] =>
  pulledKinds.filter((kind) => kind === 'client' || offered.has(recordKinds[kind].capability))

export const hasFeed = (offered: Offered): boolean => offered.has('events')

/**
 * Which lists are to be walked. Where the feed stands is asked for before the first of them, so that what changes during
 * the walk is told of after it.
 */
export async function prepare(parts: Parts, address: string, offered: Offered, isFirst: boolean): Promise<void> {
  const { db, state } = parts
  const isNew = state.address() !== address
  const needsHead = hasFeed(offered) && (isNew || state.cursor() === null)
  const head = needsHead ? await feedHead(parts) : null
  const write = db.transaction(() => {
    if (isNew) state.setService(address)
    const walks = new Map(state.walks().map((walk) => [walk.kind, walk]))
    for (const kind of kindsOf(offered)) {
      const walk = walks.get(kind)
      // A role may have come to read what it could not.
      if (walk === undefined || (walk.state === 'refused' && isFirst)) state.beginWalk(kind, fromTheBeginning)
      // Until now there was no feed: from here on there is.
      else if (needsHead && walk.state === 'done') state.beginWalk(kind, sinceOf(walk))
    }
    if (needsHead) state.moveTo(head)
    if (!hasFeed(offered)) state.moveTo(null)
  })
  write.immediate()
}

/**
 * The service no longer knows what changed since: everything is read anew and compared. Numbers of the feed only grow, so
 * one that has not come as far any more was put back to an earlier state.
 *
 * @param isOther what was told before is told otherwise, which says the same
 */
export async function beginAnew(parts: Parts, isOther = false): Promise<void> {
  const { db, state } = parts
  const head = await feedHead(parts)
  const before = state.cursor()
  const write = db.transaction(() => {
    if (isOther || (before !== null && Number(head) < Number(before))) state.setBehind(true)
    state.walkAll()
    state.moveTo(head)
    state.setAnchor(null, null)
  })
  write.immediate()
}

/** Without a feed: the lists that are due, from a little before the latest change that was seen. */
export function beginDue(state: PullState, offered: Offered, now: number): void {
  for (const walk of state.walks()) {
    if (walk.state === 'done' && isDue(walk, now)) state.beginWalk(walk.kind, offered.is_plain ? fromTheBeginning : sinceOf(walk))
  }
}

/** By the service's own clock alone, and with room for what is committed with an earlier time. */
function sinceOf({ newest }: Walk): string {
  return newest === null || newest === '' ? fromTheBeginning : new Date(Date.parse(newest) - OVERLAP_MS).toISOString()
}

const MINUTE_MS = 60_000
/** Where each call counts against the day's, all walks together take a fraction of the smallest plan's. */
const COUNTED_EVERY_MS = 30 * MINUTE_MS
const EVERY_MS = 5 * MINUTE_MS

function isDue({ kind, done_at, pages }: Walk, now: number): boolean {
  const since = now - Date.parse(done_at ?? fromTheBeginning)
  // A clock that was put back makes nothing wait for ever.
  return since < 0 || since >= (kind === 'client' ? COUNTED_EVERY_MS * Math.max(1, pages) : EVERY_MS)
}

export const isExpired = (error: unknown): boolean => failedWith(error, 'cursor-expired')
