import { describe, expect, test } from 'vitest'
import { quotaOf, retrySecondsOf } from '#client/limits.ts'

const headers = (fields: Record<string, string>): Headers => new Headers(fields)

describe('how the day’s calls stand', () => {
  test('is read from the structured fields', () => {
    const said = { 'RateLimit-Policy': '"daily";q=100;w=86400', RateLimit: '"daily";r=42;t=3600' }
    expect(quotaOf(headers(said))).toEqual({ limit: 100, remaining: 42, resetSeconds: 3600 })
  })

  test('is that of the longest window where several are told, in whatever order and with what else is said', () => {
    const policies = 'burst;q=10;w=1;qu="requests, all", "the \\"day\\"" ; w=86400;q=10000;pk=:c2VjcmV0:'
    const said = { 'RateLimit-Policy': policies, RateLimit: 'burst;r=0;t=1,"the \\"day\\"";r=9;t=12' }
    expect(quotaOf(headers(said))).toEqual({ limit: 10_000, remaining: 9, resetSeconds: 12 })
  })

  test.each(['', 'daily', '"daily";r=;t=4', '"daily";r=-1', '"daily;r=1', '5;r=1', '"daily";r=1;;'])(
    'is not known where the field says %j',
    (field) => expect(quotaOf(headers({ RateLimit: field }))).toBeNull(),
  )

  test('is not known without the field', () => expect(quotaOf(headers({}))).toBeNull())
})

describe('when to ask again', () => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'

  test.each([
    [{ 'Retry-After': '120' }, 120],
    [{ 'Retry-After': 'Sat, 21 Nov 2026 10:01:30 GMT', Date: date }, 90],
    [{ 'Retry-After': 'Sat, 21 Nov 2026 09:00:00 GMT', Date: date }, 0],
    [{ 'Retry-After': 'Sat, 21 Nov 2026 10:01:30 GMT' }, undefined],
    [{ 'Retry-After': 'soon', Date: date }, undefined],
    [{ RateLimit: '"minute";r=3;t=20, "daily";r=0;t=7200' }, 7200],
    [{ 'Retry-After': '5', RateLimit: '"daily";r=0;t=7200' }, 5],
    [{ RateLimit: '"daily";r=1;t=7200' }, undefined],
    [{}, undefined],
  ])('%j: %j seconds, whatever the clock here says', (said, seconds) => {
    expect(retrySecondsOf(headers(said as Record<string, string>))).toBe(seconds)
  })
})
