import { expect, test } from 'vitest'
import { frontOf } from '#service/operate/serve.ts'
import { lineLog, silentLog } from '#base/log.ts'
import type { Log } from '#base/log.ts'
import { problemSchema } from '#contract/model/problem.ts'
import type { Metrics } from '#service/operate/listen.ts'

const metrics: Metrics = { observe: () => {}, text: async () => 'figures', contentType: 'text/plain' }
const answered = async (_request: Request, _from?: string) => new Response('the service')
const usual = {
  service: () => ({ fetch: answered }) as { fetch: typeof answered } | null,
  isReady: async () => true,
  isDraining: () => false,
  metrics,
  metricsToken: null as string | null,
  isBehindProxy: false,
  isSecure: false,
  log: silentLog as Log,
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

test('behind a proxy a caller is where the proxy saw them, whatever they say themselves', async () => {
  const fetch = async (_request: Request, from?: string) => new Response(from ?? 'nowhere')
  const far = '10.1.1.1'
  const forwarded = (text: string) => ({ 'X-Forwarded-For': text })
  const service = () => ({ fetch })
  expect(await ask({ service, isBehindProxy: true }, '/v1', far, forwarded('6.6.6.6, 203.0.113.9'))).toEqual([200, '203.0.113.9'])
  expect(await ask({ service, isBehindProxy: true }, '/v1', far, forwarded('<script>'))).toEqual([200, 'nowhere'])
  expect(await ask({ service }, '/v1', far, forwarded('203.0.113.9'))).toEqual([200, far])
})

test('everything else is the service’s', async () => {
  for (const path of ['/', '/v1/clients', '/healthz/', '/metricsx', '/v1/healthz'])
    expect(await ask({}, path, undefined)).toEqual([200, 'the service'])
})

test('X-Forwarded-For without --behind-proxy is warned about once, and not with it', async () => {
  const lines: string[] = []
  const log = lineLog((line) => lines.push(line))
  const front = (isBehindProxy: boolean) => frontOf({ ...usual, isBehindProxy, log })
  const call = () => new Request('http://x/v1', { headers: { 'X-Forwarded-For': '203.0.113.9' } })
  const behind = front(true)
  await behind(call(), '10.1.1.1')
  expect(lines).toEqual([])
  const alone = front(false)
  await alone(new Request('http://x/v1'), '10.1.1.1')
  for (let count = 0; count < 3; count += 1) await alone(call(), '10.1.1.1')
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['proxy.unexpected'])
  expect(lines[0]).not.toContain('203.0.113.9')
})

test('over TLS browsers are told to stay with TLS', async () => {
  const policy = async (isSecure: boolean, path: string) =>
    (await frontOf({ ...usual, isSecure })(new Request(`https://x${path}`), undefined)).headers.get('strict-transport-security')
  for (const path of ['/healthz', '/v1/clients']) {
    expect(await policy(true, path)).toBe('max-age=31536000')
    expect(await policy(false, path)).toBeNull()
  }
})

test('while it starts it is alive and not ready, and calls are told to come back', async () => {
  const starting = { service: () => null, isReady: async () => false }
  expect((await ask(starting, '/healthz', undefined))[0]).toBe(200)
  expect((await ask(starting, '/readyz', undefined))[0]).toBe(503)
  const response = await frontOf({ ...usual, ...starting })(new Request('http://x/v1/clients'), undefined)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'service-unreachable', retryable: true })
})
