import type { OutboxItem, OutboxStatus } from '#contract/bridge/library.ts'
import type { DayQuota } from '#client/limits.ts'
import type { Clock } from '#base/clock.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { LoopState, SyncLoop } from './sync-loop.ts'

type View = Pick<SyncLoop, 'state' | 'isReachable' | 'isPolling' | 'resumesIn' | 'triedIn'>

interface Parts {
  readonly outbox: Outbox
  readonly loop: View
  readonly clock: Clock
  readonly isRemote: () => boolean
}

/** Times are shown by the wall clock, and tracked by the monotonic one. */
export function createStatus({ outbox, loop, clock, isRemote }: Parts) {
  /** How many intents were sent since the queue was last empty. */
  let done = 0
  let quota: { readonly said: DayQuota; readonly at: number } | null = null

  const timeIn = (ms: number | null): string | null => (ms === null ? null : new Date(clock.now() + ms).toISOString())

  const quotaNow = (): OutboxStatus['quota'] => {
    if (quota === null || !isRemote()) return null
    const { limit, remaining, resetSeconds } = quota.said
    const left = resetSeconds === null ? null : resetSeconds * 1000 - (clock.elapsed() - quota.at)
    return left !== null && left <= 0 ? null : { limit, remaining, resets_at: timeIn(left) }
  }

  return {
    onQuota(said: DayQuota): void {
      quota = { said, at: clock.elapsed() }
    },
    forgetQuota(): void {
      quota = null
    },
    oneDone(): void {
      done += 1
    },
    status(): OutboxStatus {
      const counts = outbox.counts()
      if (counts.waiting === 0) done = 0
      const phase = phaseOf(loop, counts.waiting)
      return {
        ...counts,
        ...outbox.questions(),
        sending: loop.state === 'sending',
        service: isRemote() ? 'remote' : 'embedded',
        reachable: loop.isReachable,
        phase,
        resumes_at: phase === 'saved' || phase === 'sending' ? null : timeIn(loop.resumesIn),
        done,
        total: done + counts.waiting,
        quota: quotaNow(),
      }
    },
    list: (most: number): OutboxItem[] =>
      outbox.list(most).map((item) => ({ ...item, next_attempt_at: timeIn(loop.triedIn(item.id)) })),
  }
}

const phases: Readonly<Record<Exclude<LoopState, 'waiting'>, OutboxStatus['phase']>> = {
  idle: 'saved',
  sending: 'sending',
  offline: 'offline',
  backing_off: 'backing_off',
  needs_key: 'needs_key',
  quota: 'quota',
  paused: 'paused',
}

function phaseOf({ state, isPolling }: View, waiting: number): OutboxStatus['phase'] {
  if (state === 'paused') return 'paused'
  if (waiting === 0) return 'saved'
  if (state !== 'waiting') return phases[state]
  return isPolling ? 'sending' : 'backing_off'
}
