import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { refresh } from '#core/sign-in/oauth.ts'
import { signInOf } from '#core/sign-in/sign-in-desk.ts'
import { type Chaos, chaosProxy } from '#test/support/chaos-proxy.ts'

const renew = (port: number) => {
  const issuer = `http://127.0.0.1:${port}`
  return refresh({ issuer, client_id: 'afterword', resource: 'https://practice.example/v1', scopes: [] }, 'kept', systemClock)
}

test.each<Chaos>([
  { kind: 'portal', status: 200 },
  { kind: 'portal', status: 204 },
  { kind: 'portal', status: 302 },
  { kind: 'portal', status: 511 },
  { kind: 'hang-up' },
  { kind: 'reset', direction: 'up', after: 10 },
])('nobody is asked to sign in again because of a network that is no good: %j', async (chaos) => {
  const line = await chaosProxy(9, () => chaos)
  onTestFinished(() => line.close())
  await expect(renew(line.port)).rejects.toMatchObject({ code: 'service-unreachable' })
})

test('nor is a page taken for the word that a service offers no sign-in', async () => {
  const page = new Response('<!doctype html>', { status: 404, headers: { 'Content-Type': 'text/html' } })
  const asked = signInOf(async () => page, 'https://practice.example/v1')
  await expect(asked).rejects.toMatchObject({ code: 'service-unreachable' })
})

test.each([
  [502, 'text/html', '<html>Bad gateway</html>', 'service-unreachable'],
  [200, 'application/json', '{"access_token": "cut', 'service-unreachable'],
  [400, 'application/json', '{"error":"invalid_grant"}', 'unauthenticated'],
])('a token that is asked for and answered with %d %s', async (status, type, body, code) => {
  const server = createServer((request, answer) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (request.url?.startsWith('/.well-known/')) {
      const about = { issuer: origin, token_endpoint: `${origin}/token`, authorization_endpoint: `${origin}/authorize` }
      return answer.setHeader('Content-Type', 'application/json').end(JSON.stringify(about))
    }
    answer.writeHead(status, { 'Content-Type': type }).end(body)
  })
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await expect(renew((server.address() as AddressInfo).port)).rejects.toMatchObject({ code })
})
