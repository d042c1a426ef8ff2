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
  // A redirect would lose the Strict cookie when the navigation began in another place than this origin.
  expect(first?.status).toBe(200)
  expect(first?.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/)
  expect(used).toBe(1)
  expect(ask(path)?.status).toBe(403)
})

test('the page that the token opens goes on from its own origin and leaves the token behind', async () => {
  const first = ask(`/?token=${state.secrets.token ?? ''}`)
  expect(await first?.text()).toContain('<meta http-equiv="refresh" content="0;url=/">')
  expect(first?.headers.get('referrer-policy')).toBe('no-referrer')
  expect(first?.headers.get('cache-control')).toBe('no-store')
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
