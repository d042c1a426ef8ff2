import { setImmediate } from 'node:timers/promises'
import type { MovingState } from '#contract/bridge/moving.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import type { Passed } from './pass.ts'
import type { MovingRepository } from './moving-repository.ts'

interface Parts {
  readonly moving: MovingRepository
  readonly clock: Clock
  readonly log: Log
  readonly wait: SyncPorts['wait']
  /** Sends and checks what there is to send and check, once. */
  readonly pass: (signal: AbortSignal) => Promise<Passed>
  readonly onChanged: () => void
}

type Waiting = MovingState['waiting']

export interface Mover {
  start(): void
  /** There may be more to send, or the key is another. */
  wake(): void
  waiting(): Waiting
  /** Resolves once everything is there and checked; null, or why it does not go on. */
  caughtUp(): Promise<Waiting>
  stop(): Promise<void>
}

/** Looked at again this often at least: a laptop that slept does not know how long. */
const longestNapMs = 60_000

/**
 *    looked ----> sending ----> checked ----> confirmed
 *                   |  ^           |
 *                   |  +-----------+  something changed here
 *                   v
 *                 undone             (from any of them before `confirmed`)
 *
 * What is changed here on the way is sent like the rest. Each record is kept as sent in the vault, so a move that was cut
 * off goes on where it was; a quota that is used up, a missing network and a key that is taken no more only make it wait.
 */
export function createMover({ moving, clock, log, wait, pass, onChanged }: Parts): Mover {
  let isStopping = false
  let waiting: Waiting = null
  let failures = 0
  let sleeper = new AbortController()
  let attempt = new AbortController()
  let running: Promise<void> | null = null
  let isThrough = false
  let told: ((waiting: Waiting) => void)[] = []
  const tell = (): void => {
    const listeners = told
    told = []
    for (const listener of listeners) listener(waiting)
  }
  return {
    start: () => void (running ??= run()),
    wake() {
      isThrough = false
      failures = 0
      sleeper.abort()
    },
    waiting: () => waiting,
    caughtUp() {
      const caught = new Promise<Waiting>((resolve) => told.push(resolve))
      isThrough = false
      sleeper.abort()
      return caught
    },
    async stop() {
      isStopping = true
      attempt.abort()
      sleeper.abort()
      await running
      tell()
    },
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      sleeper = new AbortController()
      const nap = await turn()
      if (isStopping) break
      if (nap === null) tell()
      else if (nap > 0 && waiting !== null) tell()
      await (nap === 0 ? setImmediate() : wait(nap === null ? null : Math.min(nap, longestNapMs), sleeper.signal))
    }
  }

  /** How long to wait before the next one; null: until something changes. */
  async function turn(): Promise<number | null> {
    const phase = moving.get()?.phase
    if (phase !== 'sending' && phase !== 'checked') return null
    if (isThrough) return null
    attempt = new AbortController()
    try {
      const passed = await pass(attempt.signal)
      failures = 0
      if (passed.until === null) waiting = null
      if (passed.more) return 0
      if (passed.until !== null)
        return waitFor({ reason: 'quota', until: new Date(passed.until).toISOString() }, passed.until - clock.now())
      through(phase)
      return null
    } catch (error) {
      return isStopping ? null : afterFailure(error)
    }
  }

  function through(phase: string): void {
    isThrough = true
    waiting = null
    moving.put({ ...(phase === 'sending' ? { phase: 'checked' as const } : {}), again: 'new', changed_at: timestamp(clock) })
    onChanged()
  }

  function afterFailure(error: unknown): number | null {
    if (!(error instanceof AppError)) log.error('moving.bug', { kind: errorKind(error) })
    const code = error instanceof AppError ? error.code : 'internal'
    failures += 1
    if (code === 'unauthenticated') {
      waitFor({ reason: 'key', until: null }, 0)
      return null
    }
    const asked = error instanceof AppError && error.retrySeconds !== undefined ? error.retrySeconds * 1000 : 0
    return waitFor({ reason: 'network', until: null }, Math.max(asked, Math.min(longestNapMs, 1000 * 2 ** Math.min(failures, 6))))
  }

  function waitFor(why: NonNullable<Waiting>, ms: number): number {
    waiting = why
    onChanged()
    return Math.max(1, ms)
  }
}
