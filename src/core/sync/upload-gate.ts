import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import type { Network } from '#base/metered-network.ts'
import type { Step } from './sync-loop.ts'

export type Later = Extract<Step, { state: 'later' }>

interface Parts {
  readonly settings: () => Pick<Settings, 'upload_limit' | 'upload_on_metered' | 'network_metered'>
  readonly network: Network
  readonly clock: Clock
}

const RECHECK_MS = 30_000
const KILOBYTE = 1000
/** Bytes. Smaller parts would be mostly headers. */
const MIN_PART = 16 * 1024

export type UploadGate = ReturnType<typeof createUploadGate>

export function createUploadGate({ settings, network, clock }: Parts) {
  let limited: { readonly limit: number; readonly bucket: ReturnType<typeof tokenBucket> } | null = null
  const bucket = () => {
    const { upload_limit: limit } = settings()
    if (limit === null) return (limited = null)
    if (limited?.limit !== limit) limited = { limit, bucket: tokenBucket(limit * KILOBYTE, clock) }
    return limited.bucket
  }
  return {
    async held(): Promise<Later | null> {
      const { upload_on_metered, network_metered } = settings()
      if (upload_on_metered) return null
      const isMetered = network_metered || (await network.isMetered()) === true
      return isMetered ? { state: 'later', after_ms: RECHECK_MS, code: 'network-metered' } : null
    },
    waitMs: () => bucket()?.waitMs() ?? 0,
    take: (bytes: number) => bucket()?.take(bytes),
    /** The largest part in bytes that keeps the speed limit without bursts. */
    mostPart(): number | undefined {
      const { upload_limit: limit } = settings()
      return limit === null ? undefined : Math.max(MIN_PART, limit * KILOBYTE)
    },
  }
}

/** Saves at most one second of unused tokens; overdrawn tokens delay later calls. */
export function tokenBucket(perSecond: number, clock: Pick<Clock, 'elapsed'>) {
  let held = perSecond
  let at = clock.elapsed()
  const fill = (): void => {
    const now = clock.elapsed()
    held = Math.min(perSecond, held + ((now - at) / 1000) * perSecond)
    at = now
  }
  return {
    waitMs(): number {
      fill()
      return held > 0 ? 0 : Math.max(1, Math.ceil((-held / perSecond) * 1000))
    },
    take(amount: number): void {
      fill()
      held -= amount
    },
  }
}
