import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#contract/model/client.ts'
import type { RouteAnswer } from '#contract/rest/routes.ts'
import { aClient, agree, anId, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

type Page = RouteAnswer<'listClients'>

let kit: ServiceKit
beforeEach(async () => {
  kit = await openKit()
})
afterEach(() => kit.close())

const code = (expected: string) => expect.objectContaining({ code: expected })

describe('clients', () => {
  test('what was stored comes back, after a restart too', async () => {
    const id = anId()
    const body = { id, display_name: 'Ana Lopez', pronouns: 'she/her', diagnoses: [{ code: 'F41.1', description: 'Anxiety' }] }
    const created = await kit.client.call('createClient', { body })
    expect(created).toMatchObject({ status: 201, etag: '"1"', data: { ...body, version: 1, status: 'active', phone: null } })
    await kit.reopen()
    expect((await kit.client.call('getClient', { params: { id } })).data).toEqual(created.data)
  })
  test('an id that is taken is refused', async () => {
    const { id } = await aClient(kit.client)
    await expect(kit.client.call('createClient', { body: { id, display_name: 'B' } })).rejects.toEqual(code('already-exists'))
  })
  test('a change names its version, changes only what it names and counts the version up', async () => {
    const before = await aClient(kit.client)
    const params = { id: before.id }
    await expect(kit.client.call('updateClient', { params, body: { phone: '1' } })).rejects.toEqual(code('version-required'))
    const after = await kit.client.call('updateClient', { params, body: { phone: '1' }, ifMatch: 1 })
    expect(after).toMatchObject({ etag: '"2"', data: { phone: '1', display_name: before.display_name, version: 2 } })
  })
  test('a stale change is refused with the record as it stands', async () => {
    const { id } = await aClient(kit.client)
    const current = (await kit.client.call('updateClient', { params: { id }, body: { phone: '1' }, ifMatch: 1 })).data
    const late = kit.client.call('updateClient', { params: { id }, body: { phone: '2' }, ifMatch: 1 })
    await expect(late).rejects.toEqual(expect.objectContaining({ code: 'stale-version', current }))
  })
  test('are found by part of a name, marks and case aside', async () => {
    await aClient(kit.client, 'José Álvarez')
    await aClient(kit.client, 'Ana 100%')
    const names = async (q: string) =>
      (await kit.client.call('listClients', { query: { q } })).data.data.map(({ display_name }) => display_name)
    expect(await names('alv jos')).toEqual(['José Álvarez'])
    expect(await names('%')).toEqual(['Ana 100%'])
    expect(await names('zz')).toEqual([])
  })
})

describe('lists', () => {
  test('a walk over all pages sees each record once, in a stable order', async () => {
    const made: string[] = []
    for (let count = 0; count < 7; count += 1) made.push((await aClient(kit.client)).id)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = (await kit.client.call('listClients', { query: { limit: 3, ...(cursor === '' ? {} : { cursor }) } }))
        .data
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(seen.toSorted()).toEqual(made.toSorted())
    expect(new Set(seen).size).toBe(7)
  })
  test('updated_since gives what changed since then, oldest change first, whatever way the time is written', async () => {
    const first = await aClient(kit.client)
    const second = await aClient(kit.client)
    const changed = (await kit.client.call('updateClient', { params: { id: first.id }, body: { phone: '1' }, ifMatch: 1 })).data
    const since = async (updated_since: string): Promise<Client[]> =>
      (await kit.client.call('listClients', { query: { updated_since } })).data.data
    expect((await since(second.updated_at)).at(-1)).toEqual(changed)
    expect(await since('2099-01-01T00:00:00Z')).toEqual([])
    expect(await since('2001-01-01T00:00:00Z')).toHaveLength(2)
  })
  test('a cursor of one list is none of another', async () => {
    for (let count = 0; count < 2; count += 1) await aClient(kit.client)
    const { next_cursor } = (await kit.client.call('listClients', { query: { limit: 1 } })).data
    const other = kit.client.call('listClients', {
      query: { limit: 1, cursor: next_cursor!, updated_since: '2001-01-01T00:00:00Z' },
    })
    await expect(other).rejects.toEqual(code('validation-failed'))
  })
})

describe('sessions', () => {
  test('end when they began plus how long they take', async () => {
    const { id } = await aClient(kit.client)
    const session = await aSession(kit.client, id, { starts_at: '2026-03-01T09:30:00Z', duration_minutes: 45 })
    expect(session.ends_at).toBe('2026-03-01T10:15:00.000Z')
    const params = { id: session.id }
    const longer = await kit.client.call('updateSession', {
      params,
      body: { duration_minutes: 90, status: 'in_progress' },
      ifMatch: 1,
    })
    expect(longer.data).toMatchObject({ ends_at: '2026-03-01T11:00:00.000Z', status: 'in_progress', version: 2 })
  })
  test('two at one time are refused, naming the other; what is called off is in nobody’s way', async () => {
    const { id } = await aClient(kit.client)
    const other = await aClient(kit.client, 'B')
    const taken = await aSession(kit.client, id, { starts_at: '2026-03-01T09:00:00Z' })
    const overlapping = { starts_at: '2026-03-01T09:49:00.000Z' }
    await expect(aSession(kit.client, other.id, overlapping)).rejects.toEqual(
      expect.objectContaining({ code: 'double-booking', detail: expect.stringContaining(taken.id) }),
    )
    await aSession(kit.client, other.id, { starts_at: '2026-03-01T09:50:00Z' })
    await kit.client.call('updateSession', { params: { id: taken.id }, body: { status: 'cancelled' }, ifMatch: 1 })
    await aSession(kit.client, other.id, { starts_at: '2026-03-01T09:00:00Z' })
  })
  test('of fifty bookings of one slot at once one is made', async () => {
    const { id } = await aClient(kit.client)
    const booking = () =>
      aSession(kit.client, id, { starts_at: '2026-03-01T09:00:00Z' }).then(
        () => 'booked',
        (error: { code: string }) => error.code,
      )
    const results = await Promise.all(Array.from({ length: 50 }, booking))
    expect(Object.groupBy(results, (result) => result)).toMatchObject({ booked: { length: 1 }, 'double-booking': { length: 49 } })
  })
  test('one that began the day before and is not over stands in the way, to its last minute', async () => {
    const { id } = await aClient(kit.client)
    await aSession(kit.client, id, { starts_at: '2026-03-01T09:00:00Z', duration_minutes: 24 * 60 })
    const last = aSession(kit.client, id, { starts_at: '2026-03-02T08:59:00Z' })
    await expect(last).rejects.toEqual(code('double-booking'))
    await aSession(kit.client, id, { starts_at: '2026-03-02T09:00:00Z' })
  })
  test('moving one onto another is refused too', async () => {
    const { id } = await aClient(kit.client)
    await aSession(kit.client, id, { starts_at: '2026-03-01T09:00:00Z' })
    const second = await aSession(kit.client, id, { starts_at: '2026-03-01T12:00:00Z' })
    const move = kit.client.call('updateSession', {
      params: { id: second.id },
      body: { starts_at: '2026-03-01T09:30:00Z' },
      ifMatch: 1,
    })
    await expect(move).rejects.toEqual(code('double-booking'))
  })
  test('are of a client that is there, and listed by client', async () => {
    await expect(aSession(kit.client, anId())).rejects.toEqual(code('not-found'))
    const { id } = await aClient(kit.client)
    const session = await aSession(kit.client, id)
    await aSession(kit.client, (await aClient(kit.client, 'B')).id)
    expect((await kit.client.call('listSessions', { query: { client_id: id } })).data.data).toEqual([session])
  })
})

describe('consents', () => {
  test('are kept as they were given, revoked once, and stay in the list', async () => {
    const { id } = await aClient(kit.client)
    const consent = await agree(kit.client, id)
    const revoke = (revoked_at: string) => kit.client.call('revokeConsent', { params: { id: consent.id }, body: { revoked_at } })
    const revoked = (await revoke('2026-03-01T09:00:00Z')).data
    expect(revoked).toMatchObject({ revoked_at: '2026-03-01T09:00:00Z', version: 2, scopes: consent.scopes })
    expect((await revoke('2026-04-01T09:00:00Z')).data).toEqual(revoked)
    expect((await kit.client.call('listConsents', { query: { client_id: id } })).data.data).toEqual([revoked])
  })
})
