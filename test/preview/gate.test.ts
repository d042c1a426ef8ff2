import type { IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { gate, mayUpgrade } from '#preview/gate.ts'
import type { PreviewSecrets } from '#preview/messages.ts'
import { hasCookie, newSecrets } from '#preview/secrets.ts'

const host = '0011223344556677.localhost:4321'
const origin = `http://${host}`
let state: { secrets: PreviewSecrets; origin: string; onTokenUsed: () => void }
let used = 0

beforeEach(() => {
  used = 0
  state = { secrets: newSecrets(), origin, onTokenUsed: () => (used += 1) }
})

const cookie = () => `other=1; ${state.secrets.cookie_name}=${state.secrets.cookie_value}`
const ask = (path: string, headers: Record<string, string> = {}) =>
  gate(state, new Request(`${origin}${path}`, { headers: { host, 'sec-fetch-site': 'same-origin', ...headers } }))

test('the token opens once, from another site too, and the second use is refused', () => {
  const path = `/?token=${state.secrets.token ?? ''}`
  // The file that opens the window is another site.
  const first = ask(path, { 'sec-fetch-site': 'cross-site' })
  // A redirect would lose the Strict cookie then.
  expect(first?.status).toBe(200)
  expect(first?.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/)
  expect(used).toBe(1)
  expect(ask(path)?.status).toBe(403)
})

test('the page that the token opens goes on from its own origin and leaves the token behind', async () => {
  const first = ask(`/?token=${state.secrets.token ?? ''}`)
  const page = (await first?.text()) ?? ''
  expect(page).toContain('<meta http-equiv="refresh" content="0;url=/">')
  expect(page).not.toContain(state.secrets.window_key)
  expect(first?.headers.get('referrer-policy')).toBe('no-referrer')
  expect(first?.headers.get('cache-control')).toBe('no-store')
})

test('without the cookie nothing is served, media and exports included', () => {
  for (const path of ['/', '/index.html', '/media/recordings/x', '/exports/x', '/bridge'])
    expect(ask(path)?.status, path).toBe(403)
})

test('with the cookie the request goes on', () => {
  expect(ask('/', { cookie: cookie() })).toBeNull()
  expect(ask('/', { cookie: cookie(), 'sec-fetch-site': 'none' })).toBeNull()
  expect(hasCookie(`${cookie()}x`, state.secrets)).toBe(false)
})

test('with the cookie a request that another page began is refused, and so is one that does not say who began it', () => {
  for (const path of ['/', '/media/recordings/x', '/exports/x', '/assets/index.js']) {
    for (const site of ['cross-site', 'same-site', 'other'])
      expect(ask(path, { cookie: cookie(), 'sec-fetch-site': site })?.status, `${path} ${site}`).toBe(403)
    expect(gate(state, new Request(`${origin}${path}`, { headers: { host, cookie: cookie() } }))?.status).toBe(403)
  }
})

test.each(['attacker.example', '127.0.0.1:4321', 'localhost:4321', '0011223344556677.localhost:4322', 'x.localhost:4321'])(
  'a request for %s is refused before anything else, even with the token and the cookie',
  (other) => {
    expect(ask('/', { host: other, cookie: cookie() })?.status).toBe(421)
    expect(ask(`/?token=${state.secrets.token ?? ''}`, { host: other })?.status).toBe(421)
    expect(used).toBe(0)
  },
)

test('a refusal carries the headers that keep other origins away', () => {
  const refusal = ask('/')
  expect(refusal?.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(refusal?.headers.get('cross-origin-opener-policy')).toBe('same-origin')
})

describe('a socket', () => {
  const asks = (headers: Record<string, string>) =>
    mayUpgrade(state, { headers: { host, origin, cookie: cookie(), ...headers } } as unknown as IncomingMessage)

  test('is opened for our own page', () => {
    expect(asks({})).toBe(true)
    expect(asks({ 'sec-fetch-site': 'same-origin' })).toBe(true)
  })

  test('is refused to another host, origin, site or cookie', () => {
    expect(asks({ host: '127.0.0.1:4321' })).toBe(false)
    expect(asks({ origin: 'http://127.0.0.1:4321' })).toBe(false)
    expect(asks({ origin: 'null' })).toBe(false)
    expect(asks({ 'sec-fetch-site': 'cross-site' })).toBe(false)
    expect(asks({ 'sec-fetch-site': 'none' })).toBe(false)
    expect(asks({ cookie: 'other=1' })).toBe(false)
  })
})
