import { z } from 'zod'
import { jsonOf, readEvents } from '#client/answer.ts'
import { type Change, changeCursorSchema, changeSchema } from '#contract/model/change.ts'
import { AppError } from '#contract/errors.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type PullState, fromTheBeginning, type Walk } from './pull-state.ts'
import { isPulled, recordKinds, pulledKinds, type PulledKind } from '#core/sync/record-kinds.ts'
import { failedWith } from '#core/outbox/sending.ts'
import { OVERLAP_MS, type Reading } from './read-records.ts'

interface Parts extends Reading {
  readonly db: Sqlite
  readonly onTold?: (change: Told) => void
}

/** A newer service may report kinds that this app doesn't know. */
const feedChangeSchema = changeSchema.extend({ kind: z.string() })
export type Told = Omit<Change, 'kind'> & { kind: string }
const pageSchema = z.object({ data: z.array(feedChangeSchema), next_cursor: changeCursorSchema, more: z.boolean() })
const AT_ONCE = 500

async function feedHead({ client, signal }: Pick<Parts, 'client' | 'signal'>): Promise<string> {
  return (await readChanges({ client, signal }, {})).next_cursor
}

/** False if the last change seen is now a different one: the service was restored from backup and used since. */
export async function isSameFeed(parts: Pick<Parts, 'state' | 'client' | 'signal'>): Promise<boolean> {
  const anchor = parts.state.anchor()
  if (anchor === null) return true
  const { data } = await readChanges(parts, { since: anchor.after, limit: 1 })
  const change = data[0]
  // If the change is no longer in the feed, its absence proves nothing.
  return change?.cursor !== (JSON.parse(anchor.told) as Told).cursor || JSON.stringify(change) === anchor.told
}

export async function catchUp(parts: Parts): Promise<void> {
  for (let more = true; more;) {
    const since = parts.state.cursor()
    const page = await readChanges(parts, { limit: AT_ONCE, ...(since === null ? {} : { since }) })
    recordChanges(parts, page.data, page.next_cursor)
    more = page.more && page.next_cursor !== since
  }
}

export async function follow(parts: Parts, onChanges: () => Promise<boolean>): Promise<boolean> {
  const { client, signal, state } = parts
  const since = state.cursor()
  const query = since === null ? {} : { since }
  const response = await client.ask('listChanges', { query, signal }, 'text/event-stream')
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return false
  }
  let isAlive = false
  for await (const events of untilLost(readEvents(response.body), signal)) {
    isAlive ||= events.length > 0
    const changes = events.flatMap(({ event, data }) => (event === 'change' ? [changeIn(data)] : []))
    if (changes.length === 0) continue
    recordChanges(parts, changes, changes.at(-1)!.cursor)
    if (!(await onChanges())) break
  }
  return isAlive
}

/** A lost connection ends the stream without an error. An abort throws the abort reason. */
async function* untilLost<Piece>(pieces: AsyncGenerator<Piece>, signal: AbortSignal): AsyncGenerator<Piece> {
  try {
    for (;;) {
      const next = await pieces.next().catch(() => null)
      if (next === null || next.done) break
      yield next.value
    }
  } finally {
    await pieces.return(undefined)
  }
  if (signal.aborted) throw signal.reason
}

function recordChanges({ db, state, wanted, known, intake, onTold }: Parts, changes: readonly Told[], cursor: string): void {
  const gone = changes.filter(({ deleted }) => deleted)
  const recordAll = db.transaction(() => {
    for (const change of changes) {
      const { kind, id, version, at, deleted } = change
      onTold?.(change)
      // A change of caseload or supervision can reveal clients that have no change of their own.
      if (kind === 'staff') state.lookForClients()
      if (!isPulled(kind) || deleted) continue
      if (version <= (known.version({ kind, id }) ?? 0)) continue
      wanted.want({ kind, id, version, changed_at: at })
    }
    const [last, before] = [changes.at(-1), changes.at(-2)?.cursor ?? state.cursor()]
    if (last !== undefined && before !== null) state.setAnchor(before, JSON.stringify(last))
    state.moveTo(cursor)
  })
  if (gone.length === 0) return recordAll.immediate()
  const arrivals = gone.flatMap(({ kind, id, version }) => (isPulled(kind) ? [{ kind, gone: id, version }] : []))
  intake.take(arrivals, recordAll)
}

async function readChanges(
  { client, signal }: Pick<Parts, 'client' | 'signal'>,
  query: { since?: string; limit?: number },
): Promise<z.infer<typeof pageSchema>> {
  const page = pageSchema.safeParse(await jsonOf(await client.ask('listChanges', { query, signal }), signal))
  if (!page.success) throw new AppError('service-unreachable', 'The service answers something that is not in its contract.')
  return page.data
}

/** @throws AppError `service-unreachable` if the change can't be read; skipping it would lose it */
function changeIn(text: string): Told {
  try {
    return feedChangeSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new AppError('service-unreachable', 'The service answers something that is not in its contract.', [], { cause: error })
  }
}

export interface Offered {
  has(capability: string): boolean
  readonly is_plain: boolean
}

type Preparing = Pick<Parts, 'db' | 'state' | 'client' | 'signal'>

export const kindsOf = (offered: Offered): PulledKind[] =>
  pulledKinds.filter((kind) => kind === 'client' || offered.has(recordKinds[kind].capability))

export const hasFeed = (offered: Offered): boolean => offered.has('events')

/** Reads the feed's cursor before the lists, so that the feed reports changes made while the lists are read. */
export async function prepare(parts: Preparing, address: string, offered: Offered, isFirst: boolean): Promise<void> {
  const { db, state } = parts
  const isNew = state.address() !== address
  const needsHead = hasFeed(offered) && (isNew || state.cursor() === null)
  const head = needsHead ? await feedHead(parts) : null
  db.transaction(() => {
    if (isNew) state.setService(address)
    const walks = new Map(state.walks().map((walk) => [walk.kind, walk]))
    for (const kind of kindsOf(offered)) {
      const walk = walks.get(kind)
      if (walk === undefined || (walk.state === 'refused' && isFirst)) state.beginWalk(kind, fromTheBeginning)
      // Read the list again for changes before the feed's cursor.
      else if (needsHead && walk.state === 'done') state.beginWalk(kind, sinceOf(walk))
    }
    if (needsHead) state.moveTo(head)
    if (!hasFeed(offered)) state.moveTo(null)
  }).immediate()
}

/**
 * Marks all lists to be read again. If `isOther` is true, or if the service's cursor is now lower, the service counts as
 * restored from backup.
 */
export async function restartPull(parts: Preparing, isOther = false): Promise<void> {
  const { db, state } = parts
  const head = await feedHead(parts)
  const before = state.cursor()
  db.transaction(() => {
    if (isOther || (before !== null && Number(head) < Number(before))) state.setBehind(true)
    state.walkAll()
    state.moveTo(head)
    state.setAnchor(null, null)
  }).immediate()
}

/** @returns true if the consents are read now, or are not offered */
export function beginDue(state: PullState, offered: Offered, now: number): boolean {
  for (const walk of state.walks()) {
    if (walk.state === 'done' && isDue(walk, now)) state.beginWalk(walk.kind, offered.is_plain ? fromTheBeginning : sinceOf(walk))
  }
  return state.walks().every((walk) => walk.kind !== 'consent' || walk.state !== 'done')
}

function sinceOf({ newest }: Walk): string {
  return newest === null || newest === '' ? fromTheBeginning : new Date(Date.parse(newest) - OVERLAP_MS).toISOString()
}

const MINUTE_MS = 60_000
/** Listing clients counts toward the daily quota, so this interval is multiplied by the number of pages. */
const COUNTED_EVERY_MS = 30 * MINUTE_MS
const EVERY_MS = 5 * MINUTE_MS

function isDue({ kind, done_at, pages }: Walk, now: number): boolean {
  const since = now - Date.parse(done_at ?? fromTheBeginning)
  // If the local clock was set back, read the list again at once.
  return since < 0 || since >= (kind === 'client' ? COUNTED_EVERY_MS * Math.max(1, pages) : EVERY_MS)
}

export const isExpired = (error: unknown): boolean => failedWith(error, 'cursor-expired')
