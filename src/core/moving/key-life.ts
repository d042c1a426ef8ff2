import { setImmediate } from 'node:timers/promises'
import { newSecret, readSecret } from '#base/api-key-secret.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { ServiceClient } from '#client/client.ts'
import type { ServiceKeyState } from '#contract/bridge/moving.ts'
import { AppError } from '#contract/errors.ts'
import type { Me } from '#contract/model/me.ts'
import type { ServiceKeys } from '#core/settings/service-keys.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'

interface Parts {
  readonly keys: ServiceKeys
  readonly clock: Clock
  readonly log: Log
  readonly wait: SyncPorts['wait']
  /** There is a practice's service, and it says how its keys stand. */
  readonly isLookedAfter: (signal: AbortSignal) => Promise<boolean>
  /** Of the practice's service; null: the one inside this app is it. */
  readonly address: () => string | null
  /** A client of the service there with this key. */
  readonly clientWith: (address: string, key: string) => ServiceClient
  /** Aborted when the records are closed. */
  readonly signal: AbortSignal
  /** Another key stands in the keychain, or it is known how it stands. */
  readonly onChanged: (isOther: boolean) => void
}

export interface KeyLife {
  start(): void
  /** The key or the service is another. */
  lookAgain(): void
  state(): ServiceKeyState
  stop(): Promise<void>
}

/** A key and the host it is for, looked after as one: both are read once, together. */
interface Kept {
  readonly address: string
  readonly key: string
}

const OFTEN_MS = 6 * 3_600_000
const SOON_MS = 5 * 60_000
/** Of its days are over before it is made good for as many again. */
const HALF = 0.5
const none: ServiceKeyState = { state: 'none', ends_at: null, renews: false }
const GRACE_MINUTES = 24 * 60

/**
 * The key of this laptop is rotated before it ends. The new secret is made here and stands in the keychain before the
 * service hears of it, and takes the old one's place after: cut off anywhere, one of the two works.
 */
export function createKeyLife(given: Omit<Parts, 'signal'>): KeyLife {
  const { keys, log, wait, isLookedAfter, onChanged } = given
  let known: ServiceKeyState = none
  let isStopping = false
  let sleeper = new AbortController()
  const ending = new AbortController()
  const parts: Parts = { ...given, signal: ending.signal }
  let running: Promise<void> | null = null
  return {
    start: () => void (running ??= run()),
    lookAgain: () => sleeper.abort(),
    state: () => known,
    async stop() {
      isStopping = true
      ending.abort()
      sleeper.abort()
      // A service that does not answer keeps nobody from locking their records.
      await Promise.race([running, setImmediate()])
    },
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      sleeper = new AbortController()
      const nap = await look().catch((error: unknown) => {
        if (!isStopping && !(error instanceof AppError)) log.error('key.bug', { kind: errorKind(error) })
        return SOON_MS
      })
      if (!isStopping) await wait(nap, sleeper.signal)
    }
  }

  /** Null: there is no key to look after. */
  async function look(): Promise<number | null> {
    const address = (await isLookedAfter(ending.signal)) ? parts.address() : null
    const key = address === null ? null : keys.get('service')
    const read = key === null ? null : readSecret(key)
    if (address === null || key === null || read === null) {
      tell(none)
      return null
    }
    const next = keys.next('service')
    if (next !== null && (await settle(parts, address, next))) return 0
    const me = await whoAmI(parts, { address, key })
    if (me === null) {
      tell({ ...known, state: 'revoked' })
      return OFTEN_MS
    }
    tell({ state: 'good', ends_at: me.ends_at, renews: me.key?.renews_for_days != null })
    if (!isDue(parts.clock, me)) return OFTEN_MS
    await rotate(parts, { address, key, next, ...read })
    return 0
  }

  function tell(now: ServiceKeyState): void {
    const isOther = now.state !== known.state || now.ends_at !== known.ends_at
    known = now
    if (isOther) onChanged(false)
  }
}

/** Null: the service takes it no more. */
async function whoAmI({ clientWith, signal }: Parts, { address, key }: Kept): Promise<Me | null> {
  try {
    return (await clientWith(address, key).call('whoAmI', { signal })).data
  } catch (error) {
    if (failedWith(error, 'unauthenticated')) return null
    throw error
  }
}

function isDue(clock: Clock, { key, ends_at, has_former_secret }: Me): boolean {
  if (ends_at === null || key?.renews_for_days == null || has_former_secret) return false
  return Date.parse(ends_at) - clock.now() < key.renews_for_days * 86_400_000 * HALF
}

async function rotate(parts: Parts, key: Kept & { next: string | null; mode: 'live' | 'test'; id: string }): Promise<void> {
  // Another address or key was entered while this one was asked about.
  if (parts.address() !== key.address || parts.keys.get('service') !== key.key) return
  const secret = key.next ?? newSecret(key.mode, key.id)
  if (key.next === null) await parts.keys.keepNext('service', secret)
  const body = { secret, grace_minutes: GRACE_MINUTES }
  await parts.clientWith(key.address, key.key).call('rotateApiKey', { params: { id: key.id }, body, signal: parts.signal })
  await settle(parts, key.address, secret)
}

/** Where the new secret works it takes the place of the old one. */
async function settle(parts: Parts, address: string, next: string): Promise<boolean> {
  if ((await whoAmI(parts, { address, key: next })) === null) return false
  // Another address or key was entered meanwhile: it is not this one's place that it would take.
  if (parts.address() !== address || parts.keys.next('service') !== next) return true
  await parts.keys.set('service', next)
  parts.onChanged(true)
  return true
}
