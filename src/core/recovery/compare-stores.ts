import type { ServiceClient } from '#client/client.ts'
import { errorKind } from '#base/log.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import type { Merge } from '#core/sync/merge/merge.ts'
import { catchUp, isSameFeed, restartPull, isExpired, type Offered, prepare } from '#core/sync/pull/change-feed.ts'
import { fetchWanted, walkLists } from '#core/sync/pull/read-records.ts'
import { createIntake, createParseArrival, createTakeInsights } from '#core/sync/pull/intake.ts'
import { createKnown, createPullState, createWanted, fromTheBeginning, type PullState } from '#core/sync/pull/pull-state.ts'
import { createRollback } from '#core/sync/pull/rollback.ts'
import { embeddedAddress } from '#core/sync/service-connection.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import { waitInTime } from '#base/clock.ts'
import { createAnswered } from './answered.ts'
import { createUnsent } from './lacking.ts'
import { createRestoring } from './restoring.ts'
import { recreateLostSessions, recreateLostClients, type OrphanParts } from './lost-sessions.ts'

interface Parts extends OrphanParts, Pick<RecordParts, 'audit' | 'log' | 'emit'> {
  readonly merge: Merge
  readonly isPiece: (transcriptId: string) => boolean
  readonly embedded: () => ServiceClient
  readonly isUsed: () => boolean
  readonly isPaused: () => boolean
  readonly onReading: () => void
  readonly onCompared: () => void
  readonly wait?: SyncPorts['wait'] | undefined
}

const RETRY_MS = 60_000
const FAILING_AFTER = 2

const everything: Offered = { has: () => true, is_plain: false }
/**
 * Used in place of the time in `behindSince`, so that no record counts as changed since the restore: only this app writes to the
 * embedded service, so an older version there always means a loss.
 */
const always = '9999-12-31T23:59:59.999Z'

/**
 * Compares the vault with the embedded service. Reads all lists again if the service's change feed does not continue from the
 * stored cursor, or if acknowledged records are not confirmed.
 */
export function openComparison(parts: Parts) {
  const { outbox, log, emit, wait = waitInTime } = parts
  const compare = createCompare(parts)
  const closing = new AbortController()
  const { signal } = closing
  let running: Promise<void> | null = null
  let failures = 0
  const watch = outbox.onChangeWhile(
    () => compare.isWaiting() && !signal.aborted,
    () => {
      if (!signal.aborted && compare.isDue()) void run(false)
    },
  )
  const settle = (now: number): void => {
    const wasFailing = failures >= FAILING_AFTER
    failures = now
    if (failures >= FAILING_AFTER !== wasFailing) emit('records.changed', { kinds: ['recovery'] })
  }
  const run = (isOpening: boolean): Promise<void> => {
    running ??= compare
      .run(signal, isOpening)
      .then(() => settle(0))
      .catch((error: unknown) => {
        if (signal.aborted) return
        log.warn('recovery.not-compared', { kind: errorKind(error) })
        settle(failures + 1)
        void retry(isOpening)
      })
      .finally(() => {
        running = null
        watch()
      })
    return running
  }
  const retry = async (isOpening: boolean): Promise<void> => {
    await wait(RETRY_MS, signal)
    await running
    if (!signal.aborted) await run(isOpening)
  }
  return {
    atOpening: () => run(true),
    start: watch,
    isFailing: () => failures >= FAILING_AFTER,
    async stop() {
      closing.abort()
      await running
    },
  }
}

function createCompare(parts: Parts) {
  const { db, clock, merge, embedded } = parts
  const state = createPullState(db, clock)
  const known = createKnown(db)
  const answered = createAnswered(db, known)
  const putBack = createRollback({ ...parts, common: merge.parts.common, incoming: merge })
  const restoring = createRestoring({ ...parts, pending: merge.parts.pending, known, wanted: createWanted(db), putBack })
  const intake = createIntake({
    ...parts,
    ...restoring,
    known,
    state: { ...state, behindSince: () => (state.behindSince() === null ? null : always) },
    insights: createTakeInsights(parts),
    parse: createParseArrival(merge.parts.common),
  })
  const unsent = createUnsent(db)
  const recreation = createRecreation(parts, state)
  const endWalks = db.transaction(() => {
    if (state.walks().some((walk) => walk.state === 'walking')) return
    for (const record of state.unlisted()) {
      restoring.putBack.hasLost(record)
      state.listed(record)
    }
    for (const record of unsent()) putBack.hasLost(record)
    if (state.behindSince() !== null) state.setBehind(false)
  })
  return {
    isDue: () => restoring.isDue() || recreation.isDue(),
    isWaiting: () => restoring.isWaiting() || recreation.isWaiting(),
    async run(signal: AbortSignal, isOpening: boolean): Promise<void> {
      if (!parts.isUsed()) {
        const isDown = state.walks().some((walk) => walk.kind === 'session' && walk.state === 'done')
        if (isDown) recreateLostSessions(parts)
        return
      }
      parts.onReading()
      const asking = { db, state, known, intake, wanted: restoring.wanted, client: embedded(), signal, onTold: answered.told }
      restoring.begin()
      if (isOpening ? parts.lostNames.isAnythingLost() : recreation.isDue()) recreation.readDocumentsAgain()
      await prepare(asking, embeddedAddress, everything, false)
      if (!(await isAsItWas(asking)) || (await answered.isLost(asking))) await restartPull(asking, true)
      const unwalked = await walkLists(asking, true)
      endWalks.immediate()
      const unread = await fetchWanted(asking)
      const left = unwalked ?? unread
      if (left !== null) throw left
      restoring.notify()
      if (isOpening) {
        answered.clear()
        recreation.run()
      }
      const isWaiting = restoring.isWaiting() || (recreation.isWaiting() && !parts.isPaused())
      if (!isWaiting) parts.onCompared()
    },
  }
}

function createRecreation(parts: Parts, state: PullState) {
  const { db } = parts
  let sessionIds: string[] = []
  const isUnpushed = db.prepare(`select 1 from outbox where subject_id = ? and kind = 'create-session'`)
  const isDue = (): boolean => sessionIds.length > 0 && sessionIds.every((id) => isUnpushed.get(id) === undefined)
  const readAgain = db.transaction(() => {
    for (const kind of ['transcript', 'note'] as const) {
      db.exec(`delete from common_versions where kind = '${kind}' and record is not null and id not in (select id from ${kind}s)`)
      state.beginWalk(kind, fromTheBeginning)
    }
  })
  return {
    run(): void {
      sessionIds = recreateLostSessions(parts)
      recreateLostClients(parts)
    },
    isDue,
    isWaiting: (): boolean => sessionIds.length > 0,
    readDocumentsAgain(): void {
      readAgain.immediate()
      sessionIds = []
    },
  }
}

async function isAsItWas(asking: Parameters<typeof catchUp>[0]): Promise<boolean> {
  try {
    if (!(await isSameFeed(asking))) return false
    await catchUp(asking)
    return true
  } catch (error) {
    if (isExpired(error)) return false
    throw error
  }
}
