import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '#base/log.ts'
import { systemClock, waitInTime } from '#base/clock.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { coreKit, createProfile, realService } from '../core-kit.ts'

test('a comparison that fails again is told, tried until it succeeds, and then told no more', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const service = { isBroken: false }
  const openService: ServiceFactory = async (options) => {
    const real = await realService(systemClock, silentLog)(options)
    const fetch: typeof real.fetch = (request) =>
      service.isBroken ? Promise.reject(new TypeError('broken')) : real.fetch(request)
    return { ...real, fetch }
  }
  const minutes: (() => void)[] = []
  const wait = (ms: number | null, signal: AbortSignal): Promise<void> => {
    const ended = new AbortController()
    if (ms === 60_000) minutes.push(() => ended.abort())
    return waitInTime(ms, AbortSignal.any([signal, ended.signal]))
  }
  const aMinute = (): void => minutes.splice(0).forEach((end) => end())
  const first = await kit.open({ openService, wait })
  await createProfile(first)
  await first.core.close()

  service.isBroken = true
  minutes.length = 0
  const opened = await kit.open({ openService, wait })
  const isTold = async (): Promise<boolean> => (await opened.call('recovery.state', {})).is_not_compared
  expect(opened.core.state().phase).toBe('ready')
  expect(await isTold()).toBe(false)
  expect(minutes.length).toBeGreaterThan(0)
  kit.events.length = 0
  aMinute()
  await opened.until(isTold)
  expect(kit.events).toContainEqual({ name: 'records.changed', payload: { kinds: ['recovery'] } })
  service.isBroken = false
  aMinute()
  await opened.until(async () => !(await isTold()))
  await opened.core.close()
})
