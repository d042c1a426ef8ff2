import { z } from 'zod'
import { jsonOf } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import { readEvents } from '#client/server-events.ts'
import { type Change, changeCursorSchema, changeSchema } from '#contract/model/change.ts'
import { AppError } from '#contract/errors.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Intake } from './intake.ts'
import type { Known } from './known.ts'
import type { PullState } from './pull-state.ts'
import { isPulled } from '#core/sync/record-kinds.ts'
import type { Wanted } from './wanted.ts'

interface Parts {
  readonly db: Sqlite
  readonly state: PullState
  readonly wanted: Wanted
  readonly known: Known
  readonly intake: Intake
  readonly client: ServiceClient
  readonly signal: AbortSignal
  /** Hears of each change in the transaction that notes it. */
  readonly onTold?: (change: Told) => void
}

/** A newer service tells of kinds that this app does not know. */
const toldSchema = changeSchema.extend({ kind: z.string() })
export type Told = Omit<Change, 'kind'> & { kind: string }
const pageSchema = z.object({ data: z.array(toldSchema), next_cursor: changeCursorSchema, more: z.boolean() })
const AT_ONCE = 500

/** Where the feed stands now. */
export async function feedHead({ client, signal }: Pick<Parts, 'client' | 'signal'>): Promise<string> {
  return (await readChanges({ client, signal }, {})).next_cursor
}

/**
 * Whether the last change that was told is told as it was. A service that was put back to an earlier state, and worked with
 * since, has come as far again with others.
 */
export async function isSameFeed(parts: Pick<Parts, 'state' | 'client' | 'signal'>): Promise<boolean> {
  const anchor = parts.state.anchor()
  if (anchor === null) return true
  const { data } = await readChanges(parts, { since: anchor.after, limit: 1 })
  const told = data[0]
  // Out of reach by now, it says nothing.
  return told?.cursor !== (JSON.parse(anchor.told) as Told).cursor || JSON.stringify(told) === anchor.told
}

/**
 * All that changed since the last time, in the order of commits, so that nothing is missed whatever a clock says.
 *
 * @throws AppError `cursor-expired`
 */
export async function catchUp(parts: Parts): Promise<void> {
  for (let more = true; more;) {
    const since = parts.state.cursor()
    const page = await readChanges(parts, { limit: AT_ONCE, ...(since === null ? {} : { since }) })
    note(parts, page.data, page.next_cursor)
    // Handed back the place that was asked for, it would be read for ever.
    more = page.more && page.next_cursor !== since
  }
}

/**
 * What changes from now on, as it happens, until the line is lost or something is left to be asked for again. False where nothing came that is such a stream.
 *
 * @param onChanges after what is told was noted; false where it did not all come
 * @throws AppError `cursor-expired`, `too-many-streams`
 */
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
    note(parts, changes, changes.at(-1)!.cursor)
    if (!(await onChanges())) break
  }
  return isAlive
}

/** A line that was cut, or silent for too long, is at its end; whoever gave it up hears so. */
async function* untilLost<Piece>(pieces: AsyncGenerator<Piece>, signal: AbortSignal): AsyncGenerator<Piece> {
  try {
    for (;;) {
      const { done, value } = await pieces
        .next()
        .catch((): { done: true; value: undefined } => ({ done: true, value: undefined }))
      if (done) break
      yield value as Piece
    }
  } finally {
    await pieces.return(undefined)
  }
  if (signal.aborted) throw signal.reason
}

/** What is to be fetched, and from where the feed goes on: one transaction. */
function note({ db, state, wanted, known, intake, onTold }: Parts, changes: readonly Told[], cursor: string): void {
  const gone = changes.filter(({ deleted }) => deleted)
  const noteAll = db.transaction(() => {
    for (const change of changes) {
      const { kind, id, version, at, deleted } = change
      onTold?.(change)
      // Somebody's caseload or supervision: what came into reach by it tells of no change.
      if (kind === 'staff') state.lookForClients()
      if (!isPulled(kind) || deleted) continue
      // Sent from here.
      if (version <= (known.version({ kind, id }) ?? 0)) continue
      wanted.want({ kind, id, version, changed_at: at })
    }
    const [last, before] = [changes.at(-1), changes.at(-2)?.cursor ?? state.cursor()]
    if (last !== undefined && before !== null) state.setAnchor(before, JSON.stringify(last))
    state.moveTo(cursor)
  })
  if (gone.length === 0) return noteAll.immediate()
  const arrivals = gone.flatMap(({ kind, id, version }) => (isPulled(kind) ? [{ kind, gone: id, version }] : []))
  intake.take(arrivals, noteAll)
}

async function readChanges(
  { client, signal }: Pick<Parts, 'client' | 'signal'>,
  query: { since?: string; limit?: number },
): Promise<z.infer<typeof pageSchema>> {
  const page = pageSchema.safeParse(await jsonOf(await client.ask('listChanges', { query, signal }), signal))
  if (!page.success) throw new AppError('service-unreachable', 'The service answers something that is not in its contract.')
  return page.data
}

/** @throws AppError `service-unreachable` where it cannot be read: passed over, it would be missed */
function changeIn(text: string): Told {
  try {
    return toldSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new AppError('service-unreachable', 'The service answers something that is not in its contract.', [], { cause: error })
  }
}
