import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { Role } from '#contract/rest/route.ts'
import { openService } from '#service/compose/open-service.ts'
import { clientWithSession, coreKit, createProfile, noService } from './core-kit.ts'

const service_address = 'https://practice.example/v1'

/** A practice's own service, as it runs alone, and an app that reaches it. */
async function practice(clock: Clock = systemClock) {
  const kit = coreKit({ clock })
  const service = await openService({
    store: { kind: 'sqlite', file: join(kit.folder, 'practice.db'), key: randomBytes(32) },
    audio: null,
    speech: () => null,
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'enforced',
    caller: 'api-keys',
    plan: 'enterprise',
  })
  const asked: string[] = []
  const fetch = ((request: Request) => {
    asked.push(request.headers.get('authorization') ?? '')
    return service.fetch(request)
  }) as typeof globalThis.fetch
  const open = await kit.open({ fetch, openService: noService })
  await createProfile(open)
  const token = service.ownerKey!
  const serve = (request: Request) => service.fetch(request)
  const elsewhere = createServiceClient({ base_url: service_address, token, fetch: serve })
  onTestFinished(async () => {
    await open.core.close()
    await service.close()
    kit.remove()
  })
  return { open, token, asked, elsewhere, serve }
}

test('a practice’s service gets what was done, under the key from the keychain, and without a key nothing is lost', async () => {
  const { open, token, asked, elsewhere } = await practice()
  await open.call('settings.update', { service_address })
  const { client } = await clientWithSession(open, 'Practice Client')
  await open.until(async () => (await open.call('outbox.list', {}))[0]?.error === 'unauthenticated')
  expect(await open.call('outbox.status', {})).toMatchObject({ service: 'remote', reachable: true, waiting: 3, needs_you: 0 })
  expect(new Set(asked)).toEqual(new Set(['']))

  await open.call('settings.setKey', { which: 'service', key: token })
  await open.settled()
  expect(asked.at(-1)).toBe(`Bearer ${token}`)
  expect((await elsewhere.call('listClients', {})).data.data).toMatchObject([{ id: client.id, display_name: 'Practice Client' }])
  expect(await open.call('outbox.list', {})).toEqual([])
})

test('two people change different fields and both changes stay; the same field asks somebody', async () => {
  const { open, token, elsewhere, serve } = await practice()
  await open.call('settings.update', { service_address })
  await open.call('settings.setKey', { which: 'service', key: token })
  const client = await open.call('clients.create', { display_name: 'Shared Client' })
  await open.settled()
  const there = async () => (await elsewhere.call('getClient', { params: { id: client.id } })).data
  const change = async (patch: object) =>
    elsewhere.call('updateClient', { params: { id: client.id }, body: patch, ifMatch: (await there()).version })

  await change({ email: 'a@example.org' })
  await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  await open.settled()
  expect(await there()).toMatchObject({ email: 'a@example.org', phone: '5550100' })

  const roles: Role[] = ['owner']
  const kim = (await elsewhere.call('createStaff', { body: { name: 'Kim Osei', roles } })).data.id
  const { secret } = (await elsewhere.call('createApiKey', { body: { name: 'office', roles, person_id: kim } })).data
  const atTheOffice = createServiceClient({ base_url: service_address, token: secret!, fetch: serve })
  const phone = { params: { id: client.id }, body: { phone: '5550199' }, ifMatch: (await there()).version }
  await atTheOffice.call('updateClient', phone)
  const { version, email } = (await open.call('clients.get', { id: client.id })).client
  expect(email).toBe('a@example.org')
  await open.call('clients.update', { id: client.id, version, patch: { phone: '5550111' } })
  await open.settled()
  expect(await open.call('outbox.list', {})).toMatchObject([
    { kind: 'update-client', state: 'needs_you', error: 'stale-version' },
  ])
  const [asked] = await open.call('conflicts.list', {})
  expect(await open.call('conflicts.who', { id: asked!.id })).toEqual({ who: 'colleague', name: 'Kim Osei' })
  expect(await there()).toMatchObject({ phone: '5550199' })
  expect((await open.call('clients.get', { id: client.id })).client.phone).toBe('5550111')
})

test('what the practice took is listed for a day, once each and newest first, without a word of it', async () => {
  let days = 0
  const { open, token } = await practice({ ...systemClock, now: () => Date.now() + days * 86_400_000 })
  const there = async () => (await open.call('outbox.sentToday', {})).items.map(({ kind, client_name }) => [kind, client_name])
  await open.call('settings.update', { service_address })
  await open.call('clients.create', { display_name: 'First Sent' })
  expect(await there()).toEqual([])
  await open.call('settings.setKey', { which: 'service', key: token })
  await open.settled()
  expect(await there()).toEqual([['create-client', 'First Sent']])

  days = 1
  expect(await open.call('outbox.sentToday', {})).toEqual({ items: [], total: 0 })
  const { id, version } = await open.call('clients.create', { display_name: 'Next Day' })
  await open.settled()
  const changed = await open.call('clients.update', { id, version, patch: { phone: '5550123' } })
  await open.settled()
  await open.call('clients.update', { id, version: changed.version, patch: { pronouns: 'they/them' } })
  await open.settled()
  const { items, total } = await open.call('outbox.sentToday', { limit: 1 })
  expect([items.map(({ kind, fields }) => [kind, fields]), total]).toEqual([[['update-client', ['phone', 'pronouns']]], 2])
  expect(JSON.stringify(items)).not.toMatch(/5550123|they/)
})
