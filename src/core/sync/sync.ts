import type { OutboxStatus } from '#contract/bridge/library.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { ServiceClient } from '#client/client.ts'
import type { DayQuota } from '#client/limits.ts'
import { type Clock, waitInTime } from '#base/clock.ts'
import { errorKind } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { IntentKind } from '#core/outbox/intents.ts'
import type { Sending } from '#core/outbox/sending.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import type { Results } from './store-results.ts'
import { createSentList, createStatus, type SentList } from './sync-status.ts'
import { SyncLoop, type Step, type SyncPorts } from './sync-loop.ts'

export type Senders = { readonly [Kind in IntentKind]: (sending: Sending<Kind>) => Promise<Step> }

export interface Service {
  readonly client: () => ServiceClient
  readonly senders: Senders
}

interface Parts extends Pick<RecordParts, 'db' | 'outbox' | 'clock' | 'log' | 'emit' | 'isRemote'> {
  readonly results: Results
  readonly embedded: Service
  readonly remote: Service
  readonly wait?: SyncPorts['wait'] | undefined
  readonly random?: SyncPorts['random'] | undefined
  readonly onPause: () => void
}

type Queries = 'outbox.list' | 'outbox.status' | 'outbox.sentToday'
type Commands = 'outbox.retry' | 'outbox.retryOne' | 'outbox.first' | 'outbox.pause'

export type Sync = ReturnType<typeof createSync>

const fixedBySettings = [
  'not-offered',
  'client-not-there',
  'template-not-offered',
  'engine-not-ready',
  'engine-failed',
  'unauthenticated',
  'forbidden',
  'service-unreachable',
]
const MAX_CONCURRENT = 4

export function createSync(parts: Parts) {
  const { db, outbox, results, clock, log, emit, embedded, remote, isRemote } = parts
  const client = (): ServiceClient => (isRemote() ? remote : embedded).client()
  const cancel = (operationId: string): void => {
    const cancelling = client().call('cancelOperation', { params: { id: operationId } })
    cancelling.catch((error: unknown) => log.warn('sync.not-cancelled', { kind: errorKind(error) }))
  }
  let connected = client()
  const state = createSyncState(db)
  const sent = createSentList(db, clock)
  const loop: SyncLoop = new SyncLoop({
    ...loopPorts(parts, sent, cancel, () => shown.oneDone()),
    outbox,
    log,
    clock,
    random: parts.random ?? Math.random,
    wait: parts.wait ?? waitInTime,
    width: () => (isRemote() ? MAX_CONCURRENT : 1),
    isPaused: state.isPaused,
  })
  const shown = createStatus({ outbox, loop, clock, isRemote })
  const statusChanged = throttle(clock, () => emit('outbox.changed', shown.status()))
  outbox.onChange(() => statusChanged.call())
  loop.onStateChange(() => statusChanged.call())
  const again = (codes?: readonly string[]): void => {
    outbox.retry(codes).forEach(results.recordWaiting)
    loop.wake()
  }
  const queries: Handlers<Queries> = {
    'outbox.list': ({ limit }) => shown.list(limit),
    'outbox.status': shown.status,
    'outbox.sentToday': ({ limit }) => sent.list(limit),
  }
  return {
    handlers: { ...queries, ...commands({ ...parts, loop, state, again, status: shown.status }) },
    isPaused: state.isPaused,
    start: () => loop.start(),
    async stop(): Promise<void> {
      await loop.stop()
      statusChanged.stop()
    },
    /**
     * Call this after a change of connection settings, keys, or models. Retries intents with errors that such a change can fix.
     */
    connectionChanged(): void {
      shown.forgetQuota()
      // An old service or key may never answer, so send again under the same idempotency key.
      if (client() !== connected) loop.interrupt()
      connected = client()
      again(fixedBySettings)
    },
    abandon(intentId: string, operationId: string | null): void {
      loop.abandon(intentId)
      if (operationId !== null) cancel(operationId)
    },
    onQuota: (quota: DayQuota) => shown.onQuota(quota),
  }
}

interface CommandParts extends Pick<Parts, 'outbox' | 'results' | 'onPause'> {
  readonly loop: SyncLoop
  readonly state: ReturnType<typeof createSyncState>
  readonly again: () => void
  readonly status: () => OutboxStatus
}

function commands({ outbox, results, loop, state, again, status, onPause }: CommandParts): Handlers<Commands> {
  const known = (id: string): void => {
    if (outbox.find(id) === null) throw new AppError('not-found')
  }
  return {
    'outbox.retry'() {
      again()
      return status()
    },
    'outbox.retryOne'({ id }) {
      known(id)
      const freed = outbox.retryOne(id)
      if (freed !== null) results.recordWaiting(freed)
      loop.wakeFor(id)
      return status()
    },
    'outbox.first'({ id }) {
      known(id)
      outbox.first(id)
      return status()
    },
    'outbox.pause'({ paused }) {
      state.setPaused(paused)
      if (paused) loop.interrupt()
      else loop.wake()
      onPause()
      return status()
    },
  }
}

function loopPorts(
  { db, outbox, results, embedded, remote, isRemote }: Parts,
  sent: SentList,
  cancel: (operationId: string) => void,
  oneDone: () => void,
): Pick<SyncPorts, 'send' | 'complete' | 'giveUp' | 'together'> {
  const together = db.transaction((work: () => unknown) => work())
  return {
    send(intent, signal) {
      const { client, senders } = isRemote() ? remote : embedded
      const send = senders[intent.kind] as (sending: Sending<IntentKind>) => Promise<Step>
      return send({ intent, client: client(), options: { idempotencyKey: intent.idempotency_key, signal } })
    },
    together: (work) => together.immediate(work) as ReturnType<typeof work>,
    complete(intent, step) {
      together.immediate(() => {
        // The intent was removed while in flight: ignore the answer.
        if (outbox.find(intent.id) === null) return
        step.apply()
        outbox.remove(intent.id)
        if (isRemote() && step.isNoOp !== true) sent.add(intent)
        // Only now does the service have the consent.
        if (intent.kind === 'give-consent') outbox.retry(['consent-missing']).forEach(results.recordWaiting)
      })
      oneDone()
    },
    giveUp(intent, code) {
      // Cancel the running work, or a retry would do it twice.
      const operationId = outbox.find(intent.id)?.operation_id ?? null
      together.immediate(() => {
        outbox.needsYou(intent.id, code)
        results.recordFailure(intent, code)
      })
      if (operationId !== null) cancel(operationId)
    },
  }
}

function createSyncState(db: Sqlite) {
  const get = db.prepare('select value from sync_state where name = ?').pluck()
  const put = db.prepare(
    'insert into sync_state (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  let isPaused = get.get('paused') === 'true'
  return {
    isPaused: () => isPaused,
    setPaused(paused: boolean): void {
      put.run('paused', String(paused))
      isPaused = paused
    },
  }
}

const THROTTLE_MS = 100

function throttle(clock: Clock, notify: () => void) {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | null = null
  let isOver = false
  const run = (): void => {
    timer = null
    last = clock.elapsed()
    notify()
  }
  return {
    call(): void {
      if (timer !== null || isOver) return
      const rest = last + THROTTLE_MS - clock.elapsed()
      if (rest <= 0) run()
      else timer = setTimeout(run, rest)
    },
    stop(): void {
      isOver = true
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
