import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import type { Network } from '#base/metered-network.ts'
import type { Step } from './sync-loop.ts'

export type Later = Extract<Step, { state: 'later' }>

export interface UploadGate {
  held(): Promise<Later | null>
  waitMs(): number
  take(bytes: number): void
  mostPart(): number | undefined
}

interface Parts {
  readonly settings: () => Pick<Settings, 'upload_limit' | 'upload_on_metered' | 'network_metered'>
  readonly network: Network
  readonly clock: Clock
}

const RECHECK_MS = 30_000
const KILOBYTE = 1000
/** Bytes. Smaller parts would be mostly headers. */
const MIN_PART = 16 * 1024

export function createUploadGate({ settings, network, clock }: Parts): UploadGate {
  let limited: { readonly limit: number; readonly bucket: TokenBucket } | null = null
  const bucket = (): TokenBucket | null => {
    const { upload_limit: limit } = settings()
    if (limit === null) return (limited = null)
    if (limited?.limit !== limit) limited = { limit, bucket: tokenBucket(limit * KILOBYTE, clock) }
    return limited.bucket
  }
  return {
    async held() {
      const { upload_on_metered, network_metered } = settings()
      if (upload_on_metered) return null
      const isMetered = network_metered || (await network.isMetered()) === true
      return isMetered ? { state: 'later', after_ms: RECHECK_MS, code: 'network-metered' } : null
    },
    waitMs: () => bucket()?.waitMs() ?? 0,
    take: (bytes) => bucket()?.take(bytes),
    mostPart() {
      const { upload_limit: limit } = settings()
      return limit === null ? undefined : Math.max(MIN_PART, limit * KILOBYTE)
    },
  }
}

/** Rate limiter. It saves at most one second of unused tokens, and overdrawn tokens delay later calls. */
interface TokenBucket {
  waitMs(): number
  take(amount: number): void
}

export function tokenBucket(perSecond: number, clock: Pick<Clock, 'elapsed'>): TokenBucket {
  let held = perSecond
  let at = clock.elapsed()
  const fill = (): void => {
    const now = clock.elapsed()
    held = Math.min(perSecond, held + ((now - at) / 1000) * perSecond)
    at = now
  }
  return {
    waitMs() {
      fill()
      return held > 0 ? 0 : Math.max(1, Math.ceil((-held / perSecond) * 1000))
    },
    take(amount) {
      fill()
      held -= amount
    },
  }
}
