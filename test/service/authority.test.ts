import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deriveKey } from '#base/aead.ts'
import { type Role, roles, type Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { keyIdOf, mintKey } from '#service/access/api-key.ts'
import { reachOf } from '#service/access/authorization.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import { insertKey } from '#service/store/api-keys.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
beforeEach(async () => {
  kit = await openKit({ caller: 'api-keys' })
})
afterEach(() => kit.close())

const as = (key: string) => ({ Authorization: `Bearer ${key}` })

/** A key of another person, in the owner's practice or in one of its own. */
async function aKey(granted: readonly Role[], practice: string | null = null): Promise<string> {
  // Answered, the service holds no write open that this second connection could run into.
  await kit.fetch('GET', '/v1', undefined, as(kit.ownerKey!))
  const { id, secret, digest } = mintKey(deriveKey(kit.key, 'api keys'))
  const db = await openStore(kit.store)
  const own = practice ?? (await db.selectFrom('practices').select('id').executeTakeFirstOrThrow()).id
  await inPractice(db, own, async (write) => {
    await ensurePractice(write, own, 'Other', 'free', '2026-01-01T00:00:00.000Z')
    await insertKey(
      write,
      { id, practice_id: own, person_id: anId(), roles: granted, digest, name: 'k' },
      '2026-01-01T00:00:00.000Z',
    )
  })
  await db.destroy()
  return secret
}

describe('who may what', () => {
  test('a role the contract does not name for an operation is refused, before its body is looked at', async () => {
    const auditor = await aKey(['auditor'])
    const response = await kit.fetch('POST', '/v1/clients', 'no json', as(auditor))
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'forbidden' }])
    expect((await kit.fetch('GET', '/v1/clients', undefined, as(auditor))).status).toBe(200)
  })
  test('somebody with no role may nothing but nothing', () => {
    const nobody = { ...embeddedCaller, roles: [] }
    for (const route of Object.values(routes as Record<string, Route>)) expect(reachOf(nobody, route)).toBe('none')
  })
  test('rights of several roles add up', () => {
    expect(reachOf({ ...embeddedCaller, roles: ['biller', 'clinician'] }, routes.listClients)).toBe('caseload')
    expect(reachOf({ ...embeddedCaller, roles: [...roles] }, routes.listClients)).toBe('all')
  })
  test('another practice’s records are not there', async () => {
    const stranger = as(await aKey(['owner', 'clinician'], anId()))
    const created = (await (await kit.fetch('POST', '/v1/clients', { display_name: 'Ana' }, as(kit.ownerKey!))).json()) as {
      id: string
    }
    expect((await kit.fetch('GET', `/v1/clients/${created.id}`, undefined, stranger)).status).toBe(404)
    expect(await (await kit.fetch('GET', '/v1/clients', undefined, stranger)).json()).toMatchObject({ data: [] })
    const patch = await kit.fetch('PATCH', `/v1/clients/${created.id}`, { phone: '1' }, { ...stranger, 'If-Match': '"1"' })
    expect(patch.status).toBe(404)
  })
  test('the same idempotency key of two people is two keys', async () => {
    const both = [kit.ownerKey!, await aKey(['owner'])]
    for (const [index, key] of both.entries()) {
      const response = await kit.fetch(
        'POST',
        '/v1/clients',
        { display_name: `${index}` },
        { ...as(key), 'Idempotency-Key': 'k' },
      )
      expect(response.status).toBe(201)
    }
  })
})

describe('keys', () => {
  test('a mistyped one is told without asking the store', () => {
    const { secret, id } = mintKey(new Uint8Array(32))
    expect(keyIdOf(secret)).toBe(id)
    for (let at = 0; at < secret.length; at += 1) {
      const other = secret[at] === 'a' ? 'b' : 'a'
      expect(keyIdOf(secret.slice(0, at) + other + secret.slice(at + 1))).toBeNull()
    }
  })
  test.each(["revoked_at = '2026-01-01T00:00:00Z'", "expires_at = '2026-01-01T00:00:00Z'"])(
    '%s: 401 from the next call on',
    async (change) => {
      const key = await aKey(['owner'])
      const get = () => kit.fetch('GET', '/v1/clients', undefined, as(key))
      expect((await get()).status).toBe(200)
      await kit.ask(`update api_keys set ${change} where id = '${keyIdOf(key)}'`)
      expect((await get()).status).toBe(401)
    },
  )
  test('what is stored is not the key', async () => {
    expect(JSON.stringify(await kit.ask('select * from api_keys'))).not.toContain(kit.ownerKey!.split('_')[3]!)
  })
})
