import { AppError } from '#contract/errors.ts'
import { errorKind, type Log } from '#base/log.ts'
import type { ServiceClient } from '#client/client.ts'
import { waitInTime } from '#base/clock.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import type { Incoming } from '#core/sync/merge/common.ts'
import { repeat } from '#core/sync/repeat.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import { catchUp, follow, isSameFeed, beginDue, hasFeed, isExpired, type Offered, prepare, restartPull } from './change-feed.ts'
import { fetchWanted, walkLists } from './read-records.ts'
import { createIntake, type ParseArrival, type TakeInsights } from './intake.ts'
import { createKnown, createPullState, createWanted, type PullState } from './pull-state.ts'
import { type Rollback } from './rollback.ts'

interface Parts extends Pick<RecordParts, 'db' | 'clock' | 'log' | 'emit'> {
  readonly incoming: Incoming
  readonly insights: TakeInsights
  readonly client: () => ServiceClient
  readonly offers: (signal: AbortSignal) => Promise<Offered>
  readonly address: () => string | null
  readonly isPaused: () => boolean
  readonly parse: ParseArrival
  readonly isPiece: (transcriptId: string) => boolean
  readonly putBack: Rollback
  readonly onReading: () => void
  readonly onCaughtUp: () => void
  readonly wait?: SyncPorts['wait'] | undefined
  readonly random?: (() => number) | undefined
}

export type Pull = ReturnType<typeof createPull>

/** If the service was restored from backup and all lists are read, pushes the records that are no longer listed. */
function endRollback({ db, state, putBack, log }: Pick<Parts, 'db' | 'putBack' | 'log'> & { state: PullState }): void {
  if (state.behindSince() === null || state.walks().some((walk) => walk.state === 'walking')) return
  const end = db.transaction(() => {
    const lost = state.unlisted()
    for (const record of lost) {
      putBack.hasLost(record)
      state.listed(record)
    }
    state.setBehind(false)
    return lost.length
  })
  log.warn('pull.service-put-back', { lost: end.immediate() })
}

const POLL_MS = 60_000
const QUOTA_MS = 15 * 60_000
const RECONNECT_MS = 2000

function restFor(left: AppError | null): number {
  if (left === null || left.code !== 'quota-exceeded') return POLL_MS
  return Math.min(QUOTA_MS, (left.retrySeconds ?? Infinity) * 1000)
}

export function createPull(parts: Parts) {
  const { db, clock, log, client, address } = parts
  const state = createPullState(db, clock)
  const wanted = createWanted(db)
  const known = createKnown(db)
  const intake = createIntake({ ...parts, state, wanted, known })

  const turn = async (signal: AbortSignal, isFirst: boolean): Promise<number> => {
    const asking = { db, state, wanted, known, intake, client: client(), signal }
    const offered = await parts.offers(signal)
    await prepare(asking, address()!, offered, isFirst)
    if (isFirst) wanted.releaseAll()
    const pullRecords = async (): Promise<AppError | null> => {
      const left = await walkLists(asking, !offered.is_plain)
      endRollback({ ...parts, state })
      const unread = offered.is_plain ? null : await fetchWanted(asking)
      return left ?? unread
    }
    if (!hasFeed(offered)) {
      if (beginDue(state, offered, clock.now())) parts.onReading()
      const left = await pullRecords()
      if (left === null) parts.onCaughtUp()
      return restFor(left)
    }
    await pullRecords()
    try {
      if (!(await isSameFeed(asking))) {
        await restartPull(asking, true)
        return 0
      }
      parts.onReading()
      await catchUp(asking)
      let left = await pullRecords()
      if (left !== null) return restFor(left)
      parts.onCaughtUp()
      const isAlive = await follow(asking, async () => {
        parts.onReading()
        left = await pullRecords()
        if (left === null) parts.onCaughtUp()
        return left === null
      })
      return left !== null ? restFor(left) : isAlive ? RECONNECT_MS : POLL_MS
    } catch (error) {
      if (isExpired(error)) {
        await restartPull(asking)
        return 0
      }
      if (failedWith(error, 'too-many-streams')) return POLL_MS
      throw error
    }
  }
  return createPullLoop({
    log,
    elapsed: () => clock.elapsed(),
    wait: parts.wait ?? waitInTime,
    random: parts.random ?? Math.random,
    isWanted: () => address() !== null && !parts.isPaused(),
    turn,
  })
}

interface PullPorts {
  readonly log: Log
  readonly elapsed: () => number
  readonly wait: SyncPorts['wait']
  readonly random: () => number
  readonly isWanted: () => boolean
  readonly turn: (signal: AbortSignal, isFirst: boolean) => Promise<number>
}

const MIN_MS = 1000
const MAX_MS = 60_000
const MAX_RETRY_AFTER_MS = 60 * 60_000
const STEADY_MS = 30_000
const needsPerson: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'not-offered'])
const UNTIL_PERSON_MS = 15 * 60_000

export function createPullLoop({ log, elapsed, wait, random, isWanted, turn }: PullPorts) {
  let isFirst = true
  let failures = 0
  const loop = repeat(wait, async (signal) => (isWanted() ? pull(signal) : null))
  const spread = (ms: number): number => Math.round(ms * (0.5 + random() / 2))

  async function pull(signal: AbortSignal): Promise<number> {
    const [began, wasFirst] = [elapsed(), isFirst]
    isFirst = false
    try {
      const rest = await turn(signal, wasFirst)
      if (elapsed() - began >= STEADY_MS) failures = 0
      return spread(rest)
    } catch (error) {
      isFirst ||= wasFirst
      return restAfter(error, signal)
    }
  }

  function restAfter(error: unknown, signal: AbortSignal): number {
    if (signal.aborted) return 0
    if (!(error instanceof AppError)) log.error('pull.bug', { kind: errorKind(error) })
    const backoff = spread(Math.min(MAX_MS, MIN_MS * 2 ** failures))
    failures += 1
    if (!(error instanceof AppError)) return backoff
    if (needsPerson.has(error.code)) return spread(UNTIL_PERSON_MS)
    return Math.max(backoff, Math.min(MAX_RETRY_AFTER_MS, (error.retrySeconds ?? 0) * 1000))
  }

  return {
    ...loop,
    wake(): void {
      failures = 0
      isFirst = true
      loop.wake()
    },
  }
}
