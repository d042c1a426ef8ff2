import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { openService } from '#service/compose/open-service.ts'
import { resource } from '#test/support/oidc-provider.ts'
import { startBareIssuer } from './oauth-kit.ts'
import type { BareIssuer } from './oauth-kit.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let bare: BareIssuer
let practice: string
const person = anId()

beforeAll(async () => {
  bare = await startBareIssuer()
  kit = await openKit({ caller: 'api-keys', plan: 'enterprise' })
  const staff = { id: person, name: 'Ana', roles: ['owner', 'clinician'] }
  expect((await kit.fetch('POST', '/v1/staff', staff, { Authorization: `Bearer ${kit.ownerKey}` })).status).toBe(201)
  practice = (await kit.ask<{ id: string }>('select id from practices'))[0]!.id
})
afterAll(async () => {
  await kit.close()
  await bare.close()
})

const trusting = (practice_id?: string) => {
  const issuers = [{ issuer: bare.issuer, audience: resource, ...(practice_id === undefined ? {} : { practice_id }) }]
  return kit.reopen({ caller: 'api-keys', plan: 'enterprise', oauth: { issuers } })
}

const end = () => Math.floor(Date.now() / 1000) + 600

async function call(method: string, path: string, claims: object, body?: object): Promise<number> {
  const token = await bare.token({
    iss: bare.issuer,
    aud: resource,
    sub: person,
    exp: end(),
    practice_id: practice,
    roles: ['owner', 'clinician'],
    ...claims,
  })
  return (await kit.fetch(method, path, body, { Authorization: `Bearer ${token}` })).status
}

const statusWith = (claims: object) => call('GET', '/v1/clients', claims)

test('an issuer that belongs to one practice speaks for no other, whatever its tokens say', async () => {
  const other = anId()
  await trusting(other)
  // The practice it names is there, and its person too; but this issuer has no say in it.
  expect(await statusWith({})).toBe(401)
  await trusting(practice)
  expect(await statusWith({})).toBe(200)
  expect(await statusWith({ practice_id: undefined })).toBe(200)
  expect(await statusWith({ practice_id: other })).toBe(401)
})

test('where the issuer belongs to none, its tokens name the practice', async () => {
  await trusting()
  expect(await statusWith({})).toBe(200)
  expect(await statusWith({ practice_id: undefined })).toBe(401)
})

test('a token makes no key that is good for longer than itself', async () => {
  const key = (ends: number) => ({ name: 'x', roles: ['owner'], expires_at: new Date(ends * 1000).toISOString() })
  const exp = end()
  const make = (body: object) => call('POST', '/v1/api-keys', { exp }, body)
  expect([await make({ name: 'x', roles: ['owner'] }), await make(key(exp + 1)), await make(key(exp))]).toEqual([403, 403, 201])
})

const login = { issuer: 'https://login.example', audience: resource }
test.each([
  [
    'one issuer twice',
    /names one issuer twice/,
    [
      { ...login, practice_id: anId() },
      { ...login, practice_id: anId(), audience: 'another' },
    ],
  ],
  [
    'two issuers of which one could name the other’s practice',
    /names several issuers/,
    [
      { ...login, practice_id: anId() },
      { ...login, issuer: 'https://other.example' },
    ],
  ],
])('a service that trusts %s does not start, and says why', async (_, sentence, issuers) => {
  const around = { store: kit.store, audio: null, speech: () => null, clock: systemClock, log: silentLog }
  const opened = openService({ ...around, consentPolicy: 'asserted', caller: 'api-keys', oauth: { issuers } })
  await expect(opened).rejects.toThrow(sentence)
})
