import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { problemSchema } from '#contract/model/problem.ts'
import type { Role } from '#contract/rest/route.ts'
import { machineTokens, refresh, signIn } from '#core/sign-in/oauth.ts'
import { tokenSource } from '#core/sign-in/session.ts'
import { lentRoles } from '#service/oauth/access-token.ts'
import { machineSecret, resource, startOidcProvider } from '#test/support/oidc-provider.ts'
import type { OidcProvider } from '#test/support/oidc-provider.ts'
import { startBareIssuer } from './oauth-kit.ts'
import type { BareIssuer } from './oauth-kit.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let bare: BareIssuer
let real: OidcProvider
let practice: string
let now = Date.now()
const person = anId()
const clock = { ...systemClock, now: () => now }
const code = (expected: string) => expect.objectContaining({ code: expected })

beforeAll(async () => {
  real = await startOidcProvider(person)
  bare = await startBareIssuer()
  kit = await openKit({ caller: 'api-keys', plan: 'enterprise', clock })
  await hire(person, ['owner', 'clinician'])
  practice = (await kit.ask<{ id: string }>('select id from practices'))[0]!.id
  await reopen()
})
afterAll(async () => {
  await kit.close()
  await bare.close()
  await real.close()
})
beforeEach(() => {
  now = Date.now()
})

/** Both issuers sign people in to the one practice there is. */
function reopen(): Promise<void> {
  const issuers = [bare, real].map(({ issuer }) => ({ issuer, audience: resource, practice_id: practice }))
  return kit.reopen({ caller: 'api-keys', plan: 'enterprise', clock, oauth: { issuers, tuning: { keysCooldownMs: 0 } } })
}

async function hire(id: string, roles: Role[]): Promise<void> {
  const response = await kit.fetch('POST', '/v1/staff', { id, name: 'Ana', roles }, { Authorization: `Bearer ${kit.ownerKey}` })
  expect(response.status).toBe(201)
}

const get = (token: string, path = '/v1/clients') => kit.fetch('GET', path, undefined, { Authorization: `Bearer ${token}` })
const seconds = () => Math.floor(now / 1000)
const claims = (more: object = {}) => ({
  iss: bare.issuer,
  aud: resource,
  sub: person,
  exp: seconds() + 600,
  practice_id: practice,
  roles: ['clinician'],
  ...more,
})

describe('an access token', () => {
  test('of a trusted issuer lets in whom it names, with the roles it and the staff record both have', async () => {
    expect((await get(await bare.token(claims()))).status).toBe(200)
    expect((await get(await bare.token(claims({ roles: undefined, scope: 'openid practice.clinician' })))).status).toBe(200)
    // The token says auditor, the staff record does not: nothing is lent.
    expect((await get(await bare.token(claims({ roles: ['auditor'] })))).status).toBe(403)
  })
  test('does not reach what its roles do not, and is told which scope would', async () => {
    const response = await kit.fetch('POST', '/v1/staff', {}, { Authorization: `Bearer ${await bare.token(claims())}` })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="afterword", error="insufficient_scope", scope="practice.owner"',
    ])
  })
  test('is recorded under the person it names', async () => {
    await get(await bare.token(claims()))
    const rows = await kit.ask<{ event: string }>('select event from audit_events order by seq')
    expect(JSON.parse(rows.at(-1)!.event)).toMatchObject({ agent: { person, key: null, roles: ['clinician'] }, outcome: '200' })
  })
  test.each([
    ['another issuer', () => bare.token(claims({ iss: 'http://127.0.0.1:1' }))],
    ['another audience', () => bare.token(claims({ aud: 'https://elsewhere.example' }))],
    ['no audience', () => bare.token(claims({ aud: undefined }))],
    ['what is over', () => bare.token(claims({ exp: seconds() - 6 }))],
    ['no end', () => bare.token(claims({ exp: undefined }))],
    ['what has not begun', () => bare.token(claims({ nbf: seconds() + 60 }))],
    ['an id token', () => bare.token(claims(), { typ: 'JWT' })],
    ['a person nobody knows', () => bare.token(claims({ sub: anId() }))],
    ['a person by another name', () => bare.token(claims({ sub: 'ana' }))],
    ['a practice nobody knows', () => bare.token(claims({ practice_id: anId() }))],
    ['a key of nobody', () => bare.token(claims(), { kid: 'other' })],
    ['a signature by a shared secret', () => bare.token(claims(), { alg: 'HS256' }, new Uint8Array(32))],
    [
      'no signature',
      async () => `${btoa('{"alg":"none","typ":"at+jwt"}')}.${btoa(JSON.stringify(claims()))}.`.replaceAll('=', ''),
    ],
    ['another signature', async () => `${(await bare.token(claims())).slice(0, -8)}AAAAAAAA`],
    ['three words', async () => 'a.b.c'],
  ])('with %s is refused as one that is no good', async (_, make) => {
    const response = await get(await make())
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="afterword", error="invalid_token"',
    ])
    expect(problemSchema.parse(await response.json()).code).toBe('unauthenticated')
  })
  test('of clocks a little apart is good', async () => {
    expect((await get(await bare.token(claims({ exp: seconds() - 3 })))).status).toBe(200)
  })
  test('ends with the person who leaves, whatever it says', async () => {
    const sub = anId()
    await hire(sub, ['clinician'])
    const token = await bare.token(claims({ sub }))
    expect((await get(token)).status).toBe(200)
    const headers = { Authorization: `Bearer ${kit.ownerKey}`, 'If-Match': '*' }
    expect((await kit.fetch('PATCH', `/v1/staff/${sub}`, { status: 'left' }, headers)).status).toBe(200)
    expect((await get(token)).status).toBe(401)
  })
  test('without any there is no word of an error', async () => {
    const response = await kit.fetch('GET', '/v1/clients')
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="afterword"')
  })
  test('lends by scope only what the claim of roles has too', () => {
    expect(lentRoles({ roles: ['owner', 'clinician'], scope: 'practice.clinician practice.auditor' }, 'roles')).toEqual([
      'clinician',
    ])
    expect(lentRoles({ roles: ['owner', 'cook'] }, 'roles')).toEqual(['owner'])
    expect(lentRoles({ roles: 'owner' }, 'roles')).toEqual([])
    expect(lentRoles({}, 'roles')).toEqual([])
  })
})

describe('the issuer’s keys', () => {
  // A service that has fetched none yet.
  beforeEach(async () => {
    await reopen()
    bare.asked = 0
    bare.answer = { status: 200 }
  })
  test('are fetched once, and again when they were rotated', async () => {
    await get(await bare.token(claims()))
    await get(await bare.token(claims()))
    expect(bare.asked).toBe(1)
    const old = await bare.token(claims())
    await bare.rotate('two')
    expect((await get(await bare.token(claims()))).status).toBe(200)
    expect((await get(old)).status).toBe(401)
  })
  test.each([null, { status: 500 }, { status: 200, body: '<html>' }])(
    'that cannot be had are no fault of the token: 503, and in again once they can (%o)',
    async (answer) => {
      bare.answer = answer
      const response = await get(await bare.token(claims()))
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
      expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'sign-in-unavailable', retryable: true })
      bare.answer = { status: 200 }
      expect((await get(await bare.token(claims()))).status).toBe(200)
    },
  )
  test('are not asked for by every call while they cannot be had', async () => {
    let elapsed = 0
    const pausing = { ...clock, elapsed: () => elapsed }
    const issuers = [{ issuer: bare.issuer, audience: resource }]
    await kit.reopen({ caller: 'api-keys', plan: 'enterprise', clock: pausing, oauth: { issuers } })
    bare.answer = { status: 500 }
    for (let call = 0; call < 5; call += 1) expect((await get(await bare.token(claims()))).status).toBe(503)
    expect(bare.asked).toBe(1)
    bare.answer = { status: 200 }
    elapsed += 1_000
    expect((await get(await bare.token(claims()))).status).toBe(200)
  })
  test('that cannot be had keep nobody with an API key out', async () => {
    bare.answer = null
    expect((await get(kit.ownerKey!)).status).toBe(200)
  })
})

describe('with a real provider', () => {
  const desktop = () => ({ issuer: real.issuer, client_id: 'desktop', resource, scopes: ['practice.clinician'] })
  const never = new AbortController().signal
  const throughBrowser = async (address: string): Promise<void> => {
    await fetch(await real.browse(address))
  }
  beforeEach(() => {
    real.claims = { practice_id: practice }
  })

  test('a person signs in at the desktop, calls the service, and their tokens are renewed', async () => {
    const tokens = await signIn(desktop(), { clock: systemClock, openBrowser: throughBrowser, signal: never })
    expect((await get(tokens.access_token)).status).toBe(200)
    const renewed = await refresh(desktop(), tokens.refresh_token!, systemClock)
    expect(renewed.access_token).not.toBe(tokens.access_token)
    expect((await get(renewed.access_token)).status).toBe(200)
    // A refresh token that was used once already is not taken again.
    await expect(refresh(desktop(), tokens.refresh_token!, systemClock)).rejects.toEqual(code('unauthenticated'))
    now += 3_600_000
    expect((await get(renewed.access_token)).status).toBe(401)
  })
  test('what knocks at the loopback address with another state is not let in, and harms nothing', async () => {
    const openBrowser = async (address: string): Promise<void> => {
      const back = await real.browse(address)
      const forged = new URL(back)
      forged.searchParams.set('state', 'forged')
      expect((await fetch(forged)).status).toBe(404)
      expect((await fetch(back.origin)).status).toBe(404)
      // No address at all.
      expect((await fetch(`${back.origin}//`)).status).toBe(404)
      expect((await fetch(back)).status).toBe(200)
    }
    const tokens = await signIn(desktop(), { clock: systemClock, openBrowser, signal: never })
    expect((await get(tokens.access_token)).status).toBe(200)
  })
  test('a code that was meant for another sign-in is refused', async () => {
    let first: URL | undefined
    const stop = new AbortController()
    const one = signIn(desktop(), {
      clock: systemClock,
      openBrowser: async (address) => void (first = await real.browse(address)),
      signal: stop.signal,
    })
    const openBrowser = async (address: string): Promise<void> => {
      const back = await real.browse(address)
      await expect.poll(() => first).toBeDefined()
      back.searchParams.set('code', first!.searchParams.get('code')!)
      await fetch(back)
    }
    await expect(signIn(desktop(), { clock: systemClock, openBrowser, signal: never })).rejects.toEqual(code('unauthenticated'))
    stop.abort()
    await expect(one).rejects.toEqual(code('cancelled'))
  })
  test('a person who says no at the provider is not signed in', async () => {
    const openBrowser = async (address: string): Promise<void> => {
      const asked = new URL(address).searchParams
      const back = new URL(asked.get('redirect_uri')!)
      back.search = String(new URLSearchParams({ error: 'access_denied', state: asked.get('state')!, iss: real.issuer }))
      await fetch(back)
    }
    await expect(signIn(desktop(), { clock: systemClock, openBrowser, signal: never })).rejects.toEqual(code('unauthenticated'))
  })
  test('a machine calls in its own name', async () => {
    real.claims = { practice_id: practice, person_id: person, sub: person, roles: ['clinician'] }
    const issuers = [{ issuer: real.issuer, audience: resource, claims: { person: 'person_id' } }]
    await kit.reopen({ caller: 'api-keys', plan: 'enterprise', clock, oauth: { issuers } })
    const machine = { issuer: real.issuer, client_id: 'machine', resource, scopes: ['practice.clinician'] }
    const source = tokenSource({ clock, tokens: null, renew: () => machineTokens(machine, machineSecret, clock) })
    const [token, same] = await Promise.all([source.current(), source.current()])
    expect(token).toBe(same)
    expect((await get(token)).status).toBe(200)
    now += 600_000 - 59_000
    const next = await source.current()
    expect(next).not.toBe(token)
    await expect(machineTokens(machine, 'not it', clock)).rejects.toEqual(code('unauthenticated'))
  })
  test('a provider that is not there is told apart from one that refuses', async () => {
    const away = { ...desktop(), issuer: 'http://127.0.0.1:9' }
    await expect(refresh(away, 'x', systemClock)).rejects.toEqual(code('service-unreachable'))
    await expect(refresh(desktop(), 'x', systemClock)).rejects.toEqual(code('unauthenticated'))
  })
})

test('how to sign in is told to anybody, at the address RFC 9728 says', async () => {
  const desktop = { client_id: 'desktop' }
  await kit.reopen({ caller: 'api-keys', clock, oauth: { issuers: [{ issuer: real.issuer, audience: resource, desktop }] } })
  const response = await kit.fetch('GET', '/.well-known/oauth-protected-resource/v1')
  expect([response.status, await response.json()]).toMatchObject([
    200,
    {
      resource,
      authorization_servers: [real.issuer],
      bearer_methods_supported: ['header'],
      afterword_desktop: { issuer: real.issuer, client_id: 'desktop', scopes: [] },
    },
  ])
  await kit.reopen({ caller: 'api-keys', clock })
  expect((await kit.fetch('GET', '/.well-known/oauth-protected-resource/v1')).status).toBe(404)
})
