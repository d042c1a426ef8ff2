import { afterAll, beforeAll, expect, test } from 'vitest'
import { resource } from '#test/support/oidc-provider.ts'
import { callAs, openAuthorityKit } from '../access/authority-kit.ts'
import type { AuthorityKit, Person } from '../access/authority-kit.ts'
import { startBareIssuer } from '../oauth-kit.ts'
import type { BareIssuer } from '../oauth-kit.ts'

let kit: AuthorityKit
let issuer: BareIssuer
let person: Person

beforeAll(async () => {
  issuer = await startBareIssuer()
  kit = await openAuthorityKit({ oauth: { issuers: [{ issuer: issuer.issuer, audience: resource }] } })
  person = await kit.person(['owner'])
})
afterAll(async () => {
  await kit.close()
  await issuer.close()
})

const now = Math.floor(Date.now() / 1000)

async function meWith(claims: object, written = '') {
  const all = { iss: issuer.issuer, aud: resource, sub: person.id, practice_id: kit.practice, roles: ['owner'], exp: now + 600 }
  const payload = JSON.stringify({ ...all, ...claims }).replace('"WRITTEN"', written)
  return callAs(kit, await issuer.token(payload))('GET', '/me')
}

/** As they are written in the token; 1e400 is read as infinity. */
const absurd = ['"soon"', '"9999999999"', 'NaN', '1e308', '1e400', '253402300800', '-1', '-1e308', 'null', 'true', '{}', '[]']
const claims = ['exp', 'nbf', 'iat'].flatMap((claim) => absurd.map((written) => ({ claim, written })))

test.each(claims)('a token whose $claim is $written is refused', async ({ claim, written }) => {
  const { status, headers } = await meWith({ [claim]: 'WRITTEN' }, written)
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
})

test('a token with times as RFC 7519 says them is let in, fractions of a second included', async () => {
  expect((await meWith({ exp: now + 600.5, nbf: now - 1, iat: now - 0.25 })).status).toBe(200)
  expect((await meWith({ exp: 253_402_300_799, nbf: 0, iat: 0 })).status).toBe(200)
})

test('a token may write ids in any case', async () => {
  const { status, body } = await meWith({ sub: person.id.toUpperCase(), practice_id: kit.practice.toUpperCase() })
  expect([status, body['person_id']]).toEqual([200, person.id])
})
