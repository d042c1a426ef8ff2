import { setImmediate } from 'node:timers/promises'
import { newSecret, readSecret } from '#base/api-key-secret.ts'
import type { Clock } from '#base/clock.ts'
import { errorKind } from '#base/log.ts'
import type { ServiceClient } from '#client/client.ts'
import type { ServiceKeyState } from '#contract/bridge/moving.ts'
import { AppError } from '#contract/errors.ts'
import type { Me } from '#contract/model/me.ts'
import type { ServiceKeys } from '#core/settings/service-keys.ts'
import { failedWith } from '#core/outbox/sending.ts'
import { repeat } from '#core/sync/repeat.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import type { RecordParts } from '#core/records/repositories.ts'

interface Parts extends Pick<RecordParts, 'clock' | 'log'> {
  readonly keys: ServiceKeys
  readonly wait: SyncPorts['wait']
  readonly canRotate: (signal: AbortSignal) => Promise<boolean>
  readonly address: () => string | null
  readonly clientWith: (address: string, key: string) => ServiceClient
  readonly signal: AbortSignal
  readonly onChanged: (isOther: boolean) => void
}

type HeldKey = Readonly<Record<'address' | 'key', string>>

const OFTEN_MS = 6 * 3_600_000
const SOON_MS = 5 * 60_000
const HALF = 0.5
const none: ServiceKeyState = { state: 'none', ends_at: null, renews: false }
const GRACE_MINUTES = 24 * 60

/**
 * Renews the API key. The keychain gets the new secret before the service does, so that after an interruption, one of the two
 * secrets in the keychain works.
 */
export function createKeyRotation(given: Omit<Parts, 'signal'>) {
  const { keys, log, wait, canRotate, onChanged } = given
  let known: ServiceKeyState = none
  const ending = new AbortController()
  const parts: Parts = { ...given, signal: ending.signal }
  const loop = repeat(wait, () =>
    check().catch((error: unknown) => {
      if (!ending.signal.aborted && !(error instanceof AppError)) log.error('key.bug', { kind: errorKind(error) })
      return SOON_MS
    }),
  )
  return {
    start: loop.start,
    wake: loop.wake,
    state: () => known,
    async stop(): Promise<void> {
      ending.abort()
      // Don't let an unresponsive service block locking.
      await Promise.race([loop.stop(), setImmediate()])
    },
  }

  async function check(): Promise<number | null> {
    const address = (await canRotate(ending.signal)) ? parts.address() : null
    const key = address === null ? null : keys.get('service')
    const read = key === null ? null : readSecret(key)
    if (address === null || key === null || read === null) {
      report(none)
      return null
    }
    const next = keys.next('service')
    if (next !== null && (await settle(parts, address, next))) return 0
    const me = await whoAmI(parts, { address, key })
    if (me === null) {
      report({ ...known, state: 'revoked' })
      return OFTEN_MS
    }
    report({ state: 'good', ends_at: me.ends_at, renews: me.key?.renews_for_days != null })
    if (!isDue(parts.clock, me)) return OFTEN_MS
    await rotate(parts, { address, key, next, ...read })
    return 0
  }

  function report(now: ServiceKeyState): void {
    const isOther = now.state !== known.state || now.ends_at !== known.ends_at
    known = now
    if (isOther) onChanged(false)
  }
}

async function whoAmI({ clientWith, signal }: Parts, { address, key }: HeldKey): Promise<Me | null> {
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

async function rotate(parts: Parts, key: HeldKey & { next: string | null; mode: 'live' | 'test'; id: string }): Promise<void> {
  if (parts.address() !== key.address || parts.keys.get('service') !== key.key) return
  const secret = key.next ?? newSecret(key.mode, key.id)
  if (key.next === null) await parts.keys.keepNext('service', secret)
  const body = { secret, grace_minutes: GRACE_MINUTES }
  await parts.clientWith(key.address, key.key).call('rotateApiKey', { params: { id: key.id }, body, signal: parts.signal })
  await settle(parts, key.address, secret)
}

async function settle(parts: Parts, address: string, next: string): Promise<boolean> {
  if ((await whoAmI(parts, { address, key: next })) === null) return false
  if (parts.address() !== address || parts.keys.next('service') !== next) return true
  await parts.keys.set('service', next)
  parts.onChanged(true)
  return true
}
