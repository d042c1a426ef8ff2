import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { intervalOf } from '#core/records/figures/figure-handlers.ts'
import { clientWithSession, coreKit, createProfile, realService } from './core-kit.ts'
import { silentLog } from '#base/log.ts'

test('weeks are whole ones from Monday to Sunday as the days are where the laptop stands', () => {
  // 02:00 UTC on a Monday is still Sunday in Chicago.
  const monday = Date.UTC(2026, 2, 9, 2)
  expect(intervalOf('four_weeks', monday, 'Europe/Berlin')).toEqual({ from: '2026-02-16', to: '2026-03-15', group_by: 'week' })
  expect(intervalOf('four_weeks', monday, 'America/Chicago')).toEqual({ from: '2026-02-09', to: '2026-03-08', group_by: 'week' })
  expect(intervalOf('twelve_weeks', monday, 'Europe/Berlin').from).toBe('2025-12-22')
  expect(intervalOf('year', Date.UTC(2026, 0, 1, 2), 'America/Chicago').from).toBe('2025-01-01')
})

test('figures come from the service, and offline they are the last ones, with when they were counted', async () => {
  const kit = coreKit()
  let isOffline = false
  const open = await kit.open({
    openService: async (options) => {
      const real = await realService(systemClock, silentLog)(options)
      return { ...real, fetch: (request) => (isOffline ? Promise.reject(new TypeError('offline')) : real.fetch(request)) }
    },
  })
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  await createProfile(open)
  await clientWithSession(open, 'Ana Lopez', Date.now())
  await open.settled()
  const read = await open.call('figures.read', { period: 'four_weeks' })
  expect(read).toMatchObject({ is_old: false, analytics: { totals: { sessions_by_status: { scheduled: 1 } } } })
  expect(read.analytics.series).toHaveLength(4)
  isOffline = true
  expect(await open.call('figures.read', { period: 'four_weeks' })).toEqual({ ...read, is_old: true })
  await expect(open.call('figures.read', { period: 'year' })).rejects.toMatchObject({ code: 'service-unreachable' })

  isOffline = false
  const ticket = await open.call('figures.export', { period: 'four_weeks' })
  const file = await open.core.media(new Request(`http://localhost${ticket.url}`))
  const lines = (await file.text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + 4 + 1)
  expect(lines[0]).toMatch(/^from,to,sessions_by_status\./)
  // Unknown is an empty cell.
  expect(lines.at(-1)).toContain(',,')
})
