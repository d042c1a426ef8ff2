import { expect, test } from 'vitest'
import { frontOf } from '#service/operate/front.ts'
import type { Metrics } from '#service/operate/metrics.ts'

const metrics: Metrics = { observe: () => {}, text: async () => 'figures', contentType: 'text/plain' }
const usual = {
  fetch: async () => new Response('the service'),
  isReady: async () => true,
  isDraining: () => false,
  metrics,
  metricsToken: null as string | null,
  isBehindProxy: false,
}

async function ask(more: Partial<typeof usual>, path: string, from: string | undefined, headers: Record<string, string> = {}) {
  const response = await frontOf({ ...usual, ...more })(new Request(`http://x${path}`, { headers }), from)
  return [response.status, (await response.text()).trim()]
}

test('without a token, metrics are for this machine alone; behind a proxy, where all seem near, for nobody', async () => {
  for (const near of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    expect(await ask({}, '/metrics', near)).toEqual([200, 'figures'])
    expect((await ask({ isBehindProxy: true }, '/metrics', near))[0]).toBe(404)
  }
  for (const far of ['192.168.1.7', '2001:db8::1', '::ffff:10.0.0.1', undefined]) {
    expect((await ask({}, '/metrics', far))[0]).toBe(404)
  }
})

test('with a token, metrics are for who shows it, from anywhere', async () => {
  const guarded = { metricsToken: 'a-token-for-metrics', isBehindProxy: true }
  expect((await ask(guarded, '/metrics', '127.0.0.1'))[0]).toBe(401)
  expect((await ask(guarded, '/metrics', '127.0.0.1', { Authorization: 'Bearer another' }))[0]).toBe(401)
  expect(await ask(guarded, '/metrics?x', '10.0.0.1', { Authorization: 'Bearer a-token-for-metrics' })).toEqual([200, 'figures'])
})

test('it is ready only while its store answers and nobody told it to end; alive it is until it ends', async () => {
  expect(await ask({}, '/readyz', undefined)).toEqual([200, 'ready'])
  expect(await ask({ isReady: async () => false }, '/readyz', undefined)).toEqual([503, 'not ready'])
  expect(await ask({ isDraining: () => true }, '/readyz', undefined)).toEqual([503, 'not ready'])
  expect((await ask({ isReady: async () => false, isDraining: () => true }, '/healthz', undefined))[0]).toBe(200)
})

test('everything else is the service’s', async () => {
  for (const path of ['/', '/v1/clients', '/healthz/', '/metricsx', '/v1/healthz'])
    expect(await ask({}, path, undefined)).toEqual([200, 'the service'])
})
