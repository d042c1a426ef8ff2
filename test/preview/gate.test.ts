import { beforeEach, expect, test } from 'vitest'
import { gate } from '#preview/gate.ts'
import { hasCookie, newSecrets, type PreviewSecrets } from '#preview/secrets.ts'

const origin = 'http://127.0.0.1:4321'
let state: { secrets: PreviewSecrets; origin: () => string; onTokenUsed: () => void }
let used = 0

beforeEach(() => {
  used = 0
  state = { secrets: newSecrets(), origin: () => origin, onTokenUsed: () => (used += 1) }
})

const ask = (path: string, headers: Record<string, string> = {}) =>
  gate(state, new Request(`${origin}${path}`, { headers: { host: '127.0.0.1:4321', ...headers } }))

test('the token opens once, and the second use is refused', () => {
  const path = `/?token=${state.secrets.token ?? ''}`
  const first = ask(path)
  expect(first?.status).toBe(303)
  expect(first?.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/)
  expect(used).toBe(1)
  expect(ask(path)?.status).toBe(403)
})

test('without the cookie nothing is served, media and exports included', () => {
  for (const path of ['/', '/index.html', '/media/recordings/x', '/exports/x', '/bridge'])
    expect(ask(path)?.status, path).toBe(403)
})

test('with the cookie the request goes on', () => {
  const { cookie_name, cookie_value } = state.secrets
  expect(ask('/', { cookie: `other=1; ${cookie_name}=${cookie_value}` })).toBeNull()
  expect(hasCookie(`${cookie_name}=${cookie_value}x`, state.secrets)).toBe(false)
})

test('a name that was rebound to this machine is refused before anything else', () => {
  const { cookie_name, cookie_value } = state.secrets
  expect(ask('/', { host: 'attacker.example', cookie: `${cookie_name}=${cookie_value}` })?.status).toBe(421)
})
