import { z } from 'zod'
import { jsonOf, readEvents } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import { type Change, changeCursorSchema, changeSchema } from '#contract/model/change.ts'
import { AppError } from '#contract/errors.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Intake } from './intake.ts'
import type { Known, PullState, Wanted } from './pull-state.ts'
import { isPulled } from '#core/sync/record-kinds.ts'

interface Parts {
  readonly db: Sqlite
  readonly state: PullState
  readonly wanted: Wanted
  readonly known: Known
  readonly intake: Intake
  readonly client: ServiceClient
  readonly signal: AbortSignal
  readonly onTold?: (change: Told) => void
}

/** A newer service may report kinds that this app doesn't know. */
const feedChangeSchema = changeSchema.extend({ kind: z.string() })
export type Told = Omit<Change, 'kind'> & { kind: string }
const pageSchema = z.object({ data: z.array(feedChangeSchema), next_cursor: changeCursorSchema, more: z.boolean() })
const AT_ONCE = 500

export async function feedHead({ client, signal }: Pick<Parts, 'client' | 'signal'>): Promise<string> {
  return (await readChanges({ client, signal }, {})).next_cursor
}

/** False if the change at the anchor differs: the service was restored from backup and used since. */
export async function isSameFeed(parts: Pick<Parts, 'state' | 'client' | 'signal'>): Promise<boolean> {
  const anchor = parts.state.anchor()
  if (anchor === null) return true
  const { data } = await readChanges(parts, { since: anchor.after, limit: 1 })
  const change = data[0]
  // If the change is no longer in the feed, it proves nothing.
  return change?.cursor !== (JSON.parse(anchor.told) as Told).cursor || JSON.stringify(change) === anchor.told
}

/** Changes come in commit order, so none is missed, whatever the clocks say. */
export async function catchUp(parts: Parts): Promise<void> {
  for (let more = true; more;) {
    const since = parts.state.cursor()
    const page = await readChanges(parts, { limit: AT_ONCE, ...(since === null ? {} : { since }) })
    recordChanges(parts, page.data, page.next_cursor)
    // A service that returns the same cursor again must not cause an endless loop.
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

/** A lost connection ends the stream without an error. An abort throws. */
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

function recordChanges({ db, state, wanted, known, intake, onTold }: Parts, changes: readonly Told[], cursor: string): void {
  const gone = changes.filter(({ deleted }) => deleted)
  const recordAll = db.transaction(() => {
    for (const change of changes) {
      const { kind, id, version, at, deleted } = change
      onTold?.(change)
      // A change of caseload or supervision reveals clients that have no change of their own.
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
