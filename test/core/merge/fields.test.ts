import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { practice, type TestLaptop } from './laptops.ts'

const clientOf = async (laptop: TestLaptop, id: string) => (await laptop.call('clients.get', { id })).client
const edit = async (laptop: TestLaptop, id: string, patch: MethodInput<'clients.update'>['patch']) =>
  laptop.call('clients.update', { id, version: (await clientOf(laptop, id)).version, patch })

let office: Awaited<ReturnType<typeof practice>>
let one: TestLaptop
let two: TestLaptop
beforeAll(async () => {
  office = await practice()
  ;[one, two] = [await office.laptop(), await office.laptop()]
})
afterAll(() => office.close())

/** A client that both laptops have, as both last agreed. */
async function shared(): Promise<string> {
  for (const laptop of [one, two]) laptop.isOnline = true
  const { id } = await one.call('clients.create', { display_name: 'Shared Client', phone: '5550100' })
  await two.until(async () => (await two.call('clients.list', {})).some(({ client }) => client.id === id))
  return id
}
const inService = async (id: string) => (await office.there.call('getClient', { params: { id } })).data
const outbox = async (laptop: TestLaptop) =>
  (await laptop.call('outbox.list', {})).map(({ kind, state, error }) => ({ kind, state, error }))

describe('one client, edited on two laptops', () => {
  test('different fields are both kept, and nobody is asked', async () => {
    const id = await shared()
    two.isOnline = false
    await edit(one, id, { email: 'one@example.org' })
    await edit(two, id, { phone: '5550122', goals: ['Sleep'] })
    await one.sent()
    two.isOnline = true
    await two.sent()
    const merged = { email: 'one@example.org', phone: '5550122', goals: ['Sleep'] }
    expect(await inService(id)).toMatchObject(merged)
    for (const laptop of [one, two]) {
      await laptop.until(async () => (await clientOf(laptop, id)).phone === '5550122')
      expect(await clientOf(laptop, id)).toMatchObject(merged)
      expect(await laptop.conflicts()).toEqual([])
    }
  })

  test('the same field asks, shows both, and the choice stands on both', async () => {
    const id = await shared()
    two.isOnline = false
    await edit(one, id, { phone: '5550111', email: 'one@example.org' })
    await edit(two, id, { phone: '5550122', pronouns: 'she/her' })
    await one.sent()
    two.isOnline = true
    await two.until(async () => (await two.conflicts()).length > 0)
    await two.sent()
    const conflict = await two.conflict('fields')
    expect(conflict).toMatchObject({
      record: 'client',
      client_name: 'Shared Client',
      fields: [{ name: 'phone', mine: '5550122', theirs: '5550111' }],
    })
    const combined = conflict.combined.map(({ name, changed }) => `${name} ${changed}`)
    expect(combined.toSorted()).toEqual(['email there', 'pronouns here'])
    expect(await clientOf(two, id)).toMatchObject({ phone: '5550122', email: 'one@example.org' })
    expect(await inService(id)).toMatchObject({ phone: '5550111' })
    expect(await outbox(two)).toEqual([{ kind: 'update-client', state: 'needs_you', error: 'stale-version' }])

    // Trying again is no choice.
    await two.call('outbox.retry', {})
    await two.sent()
    expect(await inService(id)).toMatchObject({ phone: '5550111' })
    expect(await outbox(two)).toEqual([{ kind: 'update-client', state: 'needs_you', error: 'stale-version' }])

    const choice = { kind: 'fields', sides: { phone: 'mine' } } as const
    await two.call('conflicts.resolve', { id: conflict.id, version: conflict.version, choice })
    await two.sent()
    // Said twice it stands as first said.
    await two.call('conflicts.resolve', { id: conflict.id, version: conflict.version, choice })
    const [before] = await two.call('conflicts.list', { decided: true })
    expect(before).toMatchObject({
      id: conflict.id,
      decided: { phone: 'mine' },
      fields: [{ name: 'phone', mine: '5550122', theirs: '5550111' }],
    })
    await one.until(async () => (await clientOf(one, id)).phone === '5550122')
    expect(await inService(id)).toMatchObject({ phone: '5550122', email: 'one@example.org', pronouns: 'she/her' })
    for (const laptop of [one, two]) {
      expect(await laptop.conflicts()).toEqual([])
      expect(await outbox(laptop)).toEqual([])
    }
  })

  test('choosing the other side takes it here, and what was edited beside it still goes', async () => {
    const id = await shared()
    two.isOnline = false
    await edit(one, id, { phone: '5550111' })
    await edit(two, id, { phone: '5550122', email: 'two@example.org' })
    await one.sent()
    two.isOnline = true
    await two.until(async () => (await two.conflicts()).length > 0)
    const { id: conflict, version } = await two.conflict('fields')
    await two.call('conflicts.resolve', { id: conflict, version, choice: { kind: 'fields', sides: { phone: 'theirs' } } })
    await two.sent()
    expect(await clientOf(two, id)).toMatchObject({ phone: '5550111', email: 'two@example.org' })
    expect(await inService(id)).toMatchObject({ phone: '5550111', email: 'two@example.org' })
  })

  test('the same to the same is no question', async () => {
    const id = await shared()
    two.isOnline = false
    await edit(one, id, { phone: '5550111' })
    await edit(two, id, { phone: '5550111' })
    await one.sent()
    two.isOnline = true
    await two.sent()
    expect(await two.conflicts()).toEqual([])
    expect(await outbox(two)).toEqual([])
  })

  test('where the other side changes again before it is decided, what was seen is not what is decided', async () => {
    const id = await shared()
    two.isOnline = false
    await edit(one, id, { phone: '5550111' })
    await edit(two, id, { phone: '5550122' })
    await one.sent()
    two.isOnline = true
    await two.until(async () => (await two.conflicts()).length > 0)
    const seen = await two.conflict('fields')
    await edit(one, id, { phone: '5550133' })
    await two.until(async () => (await two.conflict('fields')).version > seen.version)
    const choice = { kind: 'fields', sides: { phone: 'mine' } } as const
    await expect(two.call('conflicts.resolve', { id: seen.id, version: seen.version, choice })).rejects.toMatchObject({
      code: 'stale-version',
    })
    const now = await two.conflict('fields')
    expect(now.fields).toEqual([{ name: 'phone', mine: '5550122', theirs: '5550133' }])
    await two.call('conflicts.resolve', { id: now.id, version: now.version, choice })
    await two.sent()
    expect(await inService(id)).toMatchObject({ phone: '5550122' })
  })

  test('asked on two laptops, what is decided on one ends the question on the other', async () => {
    const id = await shared()
    for (const laptop of [one, two]) laptop.isOnline = false
    await edit(one, id, { phone: '5550111' })
    await edit(two, id, { phone: '5550111' })
    await office.there.call('updateClient', { params: { id }, body: { phone: '5550199' }, ifMatch: '"1"' })
    for (const laptop of [one, two]) {
      laptop.isOnline = true
      await laptop.until(async () => (await laptop.conflicts()).length > 0)
    }
    const { id: conflict, version } = await one.conflict('fields')
    await one.call('conflicts.resolve', { id: conflict, version, choice: { kind: 'fields', sides: { phone: 'mine' } } })
    await two.until(async () => (await two.conflicts()).length === 0)
    await two.sent()
    expect(await outbox(two)).toEqual([])
    expect(await clientOf(two, id)).toMatchObject({ phone: '5550111' })
  })
})
