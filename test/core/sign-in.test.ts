import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient } from '#client/client.ts'
import { openService } from '#service/compose/open-service.ts'
import { openSqliteStore } from '#service/store/open-store.ts'
import { onlyPractice } from '#service/store/practices.ts'
import { startOidcProvider } from '#test/support/oidc-provider.ts'
import type { OidcProvider } from '#test/support/oidc-provider.ts'
import { coreKit, createProfile, noService } from './core-kit.ts'

const service_address = 'https://service.example/v1'
const person = newId()
const code = (expected: string) => expect.objectContaining({ code: expected })

let provider: OidcProvider
beforeAll(async () => {
  provider = await startOidcProvider(person)
})
afterAll(() => provider.close())

/** A practice whose people sign in in their browser, and an app that knows its address. */
async function practice(given: { desktop?: { client_id: string }; audience?: string } = {}) {
  const { audience = service_address, ...issuer } = given
  const kit = coreKit()
  let now = Date.now()
  const clock = { ...systemClock, now: () => now }
  const store = { kind: 'sqlite', file: join(kit.folder, 'practice.db'), key: randomBytes(32) } as const
  const service = await openService({
    store,
    audio: null,
    speech: () => null,
    clock,
    log: silentLog,
    consentPolicy: 'enforced',
    caller: 'api-keys',
    plan: 'enterprise',
    oauth: { issuers: [{ issuer: provider.issuer, audience, ...issuer }] },
  })
  const answer = (request: Request) => service.fetch(request)
  const owner = createServiceClient({ base_url: service_address, token: service.ownerKey!, fetch: answer })
  await owner.call('createStaff', { body: { id: person, name: 'Ana', roles: ['owner', 'clinician'] } })
  const db = openSqliteStore(store.file, store.key)
  provider.claims = { practice_id: await onlyPractice(db), roles: ['owner', 'clinician'] }
  await db.destroy()
  const fetch = ((asked: Request | string, init?: RequestInit) => answer(new Request(asked, init))) as typeof globalThis.fetch
  const open = await kit.open({ fetch, clock, openService: noService })
  await createProfile(open)
  await open.call('settings.update', { service_address })
  onTestFinished(async () => {
    await open.core.close()
    await service.close()
    kit.remove()
  })
  const names = async () => (await owner.call('listClients', {})).data.data.map(({ display_name }) => display_name)
  return { open, names, owner_key: service.ownerKey!, later: (ms: number) => void (now += ms) }
}

const desktop = { client_id: 'desktop' }

test('a therapist signs in in the browser, and the app goes on as them, also when the token is over', async () => {
  const { open, names, later } = await practice({ desktop })
  const { address } = await open.call('settings.signIn', {})
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
  const finished = open.call('settings.finishSignIn', {})
  await fetch(await provider.browse(address))
  expect((await finished).service_has_key).toBe(true)
  await open.call('clients.create', { display_name: 'First Client' })
  await open.settled()
  later(550_000)
  await open.call('clients.create', { display_name: 'Second Client' })
  await open.settled()
  expect(await names()).toEqual(['First Client', 'Second Client'])
  expect(await open.call('outbox.list', {})).toEqual([])
})

test('who signs in in the browser moves to the practice as themselves, also when the token is over on the way', async () => {
  const { open, names, later } = await practice({ desktop })
  await open.call('settings.update', { service_address: null })
  const client = await open.call('clients.create', { display_name: 'Moving Client' })
  const { address } = await open.call('moving.signIn', { address: service_address })
  const finished = open.call('moving.finishSignIn', {})
  await fetch(await provider.browse(address))
  expect(await finished).toMatchObject({ phase: 'looked', look: { person: { id: person, name: 'Ana' }, send: { clients: 1 } } })
  later(550_000)
  await open.call('moving.send', {})
  await open.call('moving.confirm', {})
  expect(await names()).toEqual(['Moving Client'])
  expect(await open.call('settings.get', {})).toMatchObject({ service_address, service_has_key: true, therapist_id: person })
  await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
})

test('a sign-in that is left open is given up where the move begins with a key instead', async () => {
  const { open, owner_key } = await practice({ desktop })
  await open.call('settings.update', { service_address: null })
  const { address } = await open.call('moving.signIn', { address: service_address })
  const finished = expect(open.call('moving.finishSignIn', {})).rejects.toEqual(code('cancelled'))
  const { look } = await open.call('moving.look', { address: service_address, key: owner_key })
  await open.call('moving.send', {})
  await expect(fetch(await provider.browse(address))).rejects.toThrow()
  await finished
  const now = await open.call('moving.confirm', {})
  expect(now).toMatchObject({ phase: 'confirmed', look: { person: look!.person } })
  expect((await open.call('settings.get', {})).therapist_id).toBe(look!.person!.id)
})

test('a sign-in that was begun anew or given up leaves everything as it was', async () => {
  const { open } = await practice({ desktop })
  await open.call('settings.signIn', {})
  const first = expect(open.call('settings.finishSignIn', {})).rejects.toEqual(code('cancelled'))
  const { address } = await open.call('settings.signIn', {})
  await first
  const back = new URL(new URL(address).searchParams.get('redirect_uri')!)
  back.search = String(new URLSearchParams({ error: 'access_denied', state: new URL(address).searchParams.get('state')! }))
  const finished = open.call('settings.finishSignIn', {})
  await Promise.all([expect(finished).rejects.toEqual(code('unauthenticated')), fetch(back)])
  expect((await open.call('settings.get', {})).service_has_key).toBe(false)
  await expect(open.call('settings.finishSignIn', {})).rejects.toEqual(code('cancelled'))
})

test('a sign-in that was begun for one service is given up when the address is another', async () => {
  const { open } = await practice({ desktop })
  const { address } = await open.call('settings.signIn', {})
  await open.call('settings.update', { service_address: 'https://other.example/v1' })
  await expect(open.call('settings.finishSignIn', {})).rejects.toEqual(code('cancelled'))
  await expect(fetch(await provider.browse(address))).rejects.toThrow()
  expect((await open.call('settings.get', {})).service_has_key).toBe(false)
})

test('a service that takes keys alone says so; one that speaks of another address is not believed', async () => {
  const keys = await practice()
  await expect(keys.open.call('settings.signIn', {})).rejects.toEqual(code('sign-in-not-offered'))
  const other = await practice({ desktop, audience: 'https://elsewhere.example/v1' })
  await expect(other.open.call('settings.signIn', {})).rejects.toEqual(code('sign-in-not-offered'))
})
