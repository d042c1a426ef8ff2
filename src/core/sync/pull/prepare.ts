import type { Sqlite } from '#base/sqlite.ts'
import type { ServiceClient } from '#client/client.ts'
import { failedWith } from '#core/outbox/sending.ts'
import { feedHead } from './change-feed.ts'
import { OVERLAP_MS } from './fetch-wanted.ts'
import { fromTheBeginning, type PullState, type Walk } from './pull-state.ts'
import { recordKinds, pulledKinds, type PulledKind } from '#core/sync/record-kinds.ts'

export interface Offered {
  has(capability: string): boolean
  readonly is_plain: boolean
}

interface Parts {
  readonly db: Sqlite
  readonly state: PullState
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

export const kindsOf = (offered: Offered): PulledKind[] =>
  pulledKinds.filter((kind) => kind === 'client' || offered.has(recordKinds[kind].capability))

export const hasFeed = (offered: Offered): boolean => offered.has('events')

/** Reads the feed's cursor before the walks, so that the feed reports changes made during them. */
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
      if (walk === undefined || (walk.state === 'refused' && isFirst)) state.beginWalk(kind, fromTheBeginning)
      // The service has a change feed now. The walk covers changes before the feed's cursor.
      else if (needsHead && walk.state === 'done') state.beginWalk(kind, sinceOf(walk))
    }
    if (needsHead) state.moveTo(head)
    if (!hasFeed(offered)) state.moveTo(null)
  })
  write.immediate()
}

/** Compares all lists, because the cursor expired or the feed differs. A lower cursor means a restore from backup. */
export async function restartPull(parts: Parts, isOther = false): Promise<void> {
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

export function beginDue(state: PullState, offered: Offered, now: number): void {
  for (const walk of state.walks()) {
    if (walk.state === 'done' && isDue(walk, now)) state.beginWalk(walk.kind, offered.is_plain ? fromTheBeginning : sinceOf(walk))
  }
}

/** Uses only the service's clock. The overlap covers commits with an earlier time. */
function sinceOf({ newest }: Walk): string {
  return newest === null || newest === '' ? fromTheBeginning : new Date(Date.parse(newest) - OVERLAP_MS).toISOString()
}

const MINUTE_MS = 60_000
/** Where calls count toward the daily quota, all walks together use a fraction of the smallest plan. */
const COUNTED_EVERY_MS = 30 * MINUTE_MS
const EVERY_MS = 5 * MINUTE_MS

function isDue({ kind, done_at, pages }: Walk, now: number): boolean {
  const since = now - Date.parse(done_at ?? fromTheBeginning)
  // If the local clock was set back, walk the list at once.
  return since < 0 || since >= (kind === 'client' ? COUNTED_EVERY_MS * Math.max(1, pages) : EVERY_MS)
}

export const isExpired = (error: unknown): boolean => failedWith(error, 'cursor-expired')
