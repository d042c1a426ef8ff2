import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Role } from '#contract/rest/route.ts'
import { createPullState, fromTheBeginning, unlistedHere } from '#core/sync/pull/pull-state.ts'
import { aClient, agree, aSession } from '#test/service/service-kit.ts'
import { laptop } from './laptop-kit.ts'
import { clientAt } from './open-laptop.ts'
import { type Practice, practiceOverHttp } from './pull-kit.ts'

/** Somebody of the practice, with a key. */
async function colleague({ client }: Practice, roles: Role[]): Promise<{ id: string; key: string }> {
  const id = newId()
  await client.call('createStaff', { body: { id, name: 'Kim Osei', roles } })
  const made = await client.call('createApiKey', { body: { name: 'laptop', roles, person_id: id } })
  return { id, key: made.data.secret! }
}

test('a role that sees some fields brings those alone, and takes nothing away from what is known here', async () => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const diagnoses = [{ code: 'F41.1', description: 'Generalized anxiety disorder' }]
  const ana = (await client.call('createClient', { body: { display_name: 'Ana Lopez', diagnoses, goals: ['sleep'] } })).data
  await aSession(client, ana.id)
  await agree(client, ana.id)
  const desk = await colleague(practice, ['front_desk'])
  let asking = client
  const mine = laptop({ address, client: { ...client, ask: (...asked) => asking.ask(...asked) } })
  await mine.until(() => mine.taken.length === 3)

  asking = clientAt(address, desk.key)
  mine.pull.wake()
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  await mine.until(() => mine.records.clients.find(ana.id)?.phone === '5550100')
  expect(mine.records.clients.find(ana.id)).toMatchObject({ diagnoses, goals: ['sleep'] })
  expect(mine.records.consents.list(ana.id)).toHaveLength(1)
})

test('a role that does not see what a note says takes no word of it away, and brings no empty one', async () => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const ana = await aClient(client)
  const [session, other] = [await aSession(client, ana.id), await aSession(client, ana.id)]
  const noteOf = (session_id: string, text: string) =>
    client.call('putNote', { params: { id: idOf[session_id]! }, body: saying(session_id, text) })
  const idOf: Record<string, string> = { [session.id]: newId(), [other.id]: newId() }
  const saying = (session_id: string, text: string) => {
    const statement = { id: 's1', text, support: 'clinician_entered' as const, origin: 'person' as const, evidence: [] }
    const sections = [
      { key: 'subjective', title: 'Subjective', statements: [{ ...statement, safety: false, confirmed_at: null }] },
    ]
    const engine = { name: 'rules', version: '1', model: null }
    const rest = { sections, unsupported: [], omissions: [], checks: [], engine }
    return { session_id, client_id: ana.id, template: 'soap' as const, ...rest } as never
  }
  await noteOf(session.id, 'She slept badly.')
  const biller = await colleague(practice, ['biller'])
  let asking = client
  const mine = laptop({ address, client: { ...client, ask: (...asked) => asking.ask(...asked) } })
  await mine.until(() => mine.records.notes.find(idOf[session.id]!) !== null)
  const before = mine.records.notes.find(idOf[session.id]!)

  asking = clientAt(address, biller.key)
  mine.pull.wake()
  const params = { id: idOf[session.id]! }
  await client.call('putNote', { params, body: saying(session.id, 'She slept well.'), ifMatch: 1 })
  await noteOf(other.id, 'Something else.')
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  const isAsked = (id: string): boolean => practice.asked.some((call) => call === `GET /v1/notes/${id}`)
  await mine.until(() => Object.values(idOf).every(isAsked) && mine.count('pull_wanted where held is null') === 0)
  expect(mine.records.notes.find(idOf[session.id]!)).toEqual(before)
  expect(mine.records.notes.find(idOf[other.id]!)).toBeNull()

  asking = client
  mine.pull.wake()
  await mine.until(() => mine.records.notes.find(idOf[other.id]!) !== null)
  expect(JSON.stringify(mine.records.notes.find(idOf[session.id]!))).toContain('She slept well.')
})

test('a client who comes into reach comes with all that was before; one who goes out of it stays, and is known as not listed', async () => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const kim = await colleague(practice, ['clinician'])
  const ana = await aClient(client)
  const session = await aSession(client, ana.id)
  await agree(client, ana.id)
  const own = (await client.call('createClient', { body: { display_name: 'Bo Lindqvist', clinician_id: kim.id } })).data
  const mine = laptop({ address, client: clientAt(address, kim.key) })
  await mine.until(
    () => mine.records.clients.find(own.id) !== null && practice.asked.some((call) => call.includes('/events?since')),
  )
  expect(mine.records.clients.find(ana.id)).toBeNull()

  await client.call('updateClient', { params: { id: ana.id }, body: { clinician_id: kim.id }, ifMatch: 1 })
  await mine.until(() => mine.records.consents.list(ana.id).length === 1)
  expect(mine.records.sessions.find(session.id)).not.toBeNull()

  // Shared by whoever says who treats whom: nothing of the client itself changes by that.
  const cleo = await aClient(client, 'Cleo Adeyemi')
  await agree(client, cleo.id, 'Cleo Adeyemi')
  await client.call('updateStaff', { params: { id: kim.id }, body: { shared_clients: [cleo.id] }, ifMatch: 1 })
  await mine.until(() => mine.records.consents.list(cleo.id).length === 1)

  const other = await colleague(practice, ['clinician'])
  await client.call('updateClient', { params: { id: ana.id }, body: { clinician_id: other.id }, ifMatch: 2 })
  // Whatever changes who treats whom has everything compared.
  await client.call('updateStaff', { params: { id: kim.id }, body: { shared_clients: [] }, ifMatch: 2 })
  const unlisted = mine.db.prepare('select kind from pull_unlisted where id = ? and is_sure > 0').pluck()
  await mine.until(() => unlisted.get(ana.id) === 'client' && unlisted.get(cleo.id) === 'client')
  expect(mine.records.clients.find(ana.id)).toMatchObject({ display_name: 'Ana Lopez' })
  expect(unlistedHere(mine.db)).toEqual([{ sort: 'clients', count: 2 }])
})

test('who is in reach changes while clients are still being listed: they are listed from the beginning', async () => {
  const { address, client } = await practiceOverHttp()
  const state = createPullState(laptop({ address, client }).db, systemClock)
  state.setService(address)
  state.beginWalk('client', '2026-11-01T00:00:00.000Z')
  state.walked('client', 'page 2', null)
  state.lookForClients()
  expect(state.walks()).toMatchObject([{ kind: 'client', since: fromTheBeginning, cursor: null, state: 'walking' }])
  state.refuse('client')
  state.lookForClients()
  expect(state.walks()).toMatchObject([{ kind: 'client', state: 'refused' }])
})

test('a service that says little of a client, and counts no versions: what it says comes, what it does not stays', async () => {
  const practice = await practiceOverHttp()
  const [id, other] = [newId(), newId()]
  let said: object[] = [
    { id, display_name: 'Ana Lopez', phone: '5550100' },
    { id: 7 },
    { id: other, display_name: 'Bo Lindqvist' },
  ]
  practice.between = (request) =>
    new URL(request.url).pathname.endsWith('/clients') ? Response.json({ data: said }) : new Response(null, { status: 404 })
  let now = Date.UTC(2026, 0, 5)
  const mine = laptop({
    address: practice.address,
    client: clientAt(practice.address, practice.ownerKey),
    offers: async () => ({ has: () => false, is_plain: true }),
    clock: { now: () => now, elapsed: () => performance.now() },
  })
  await mine.until(() => mine.taken.length === 2)
  const ana = mine.records.clients.find(id)!
  mine.records.clients.update({ ...ana, email: 'ana@client.example', version: 2 })
  said = [{ id, display_name: 'Ana López', phone: null }]
  now += 31 * 60_000
  await mine.until(() => mine.records.clients.find(id)?.display_name === 'Ana López')
  expect(mine.records.clients.find(id)).toMatchObject({ phone: null, email: 'ana@client.example' })
  expect(mine.records.clients.find(other)).toMatchObject({ display_name: 'Bo Lindqvist' })
})

test('a service of ten operations: its clients are compared as they are listed, and nobody is removed for not being listed', async () => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const [ana, bo] = [await aClient(client), await aClient(client, 'Bo Lindqvist')]
  let hidden = ''
  practice.between = async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method !== 'GET' || !pathname.endsWith('/clients')) return new Response(null, { status: 404 })
    const page = (await (await practice.fetch(request)).json()) as { data: { id: string }[] }
    return Response.json({ ...page, data: page.data.filter(({ id }) => id !== hidden) })
  }
  let now = Date.UTC(2026, 0, 5)
  let looks = 0
  const made = practice.asked.length
  const mine = laptop({
    address,
    client: clientAt(address, practice.ownerKey),
    offers: async () => {
      looks += 1
      return { has: () => false, is_plain: true }
    },
    clock: { now: () => now, elapsed: () => performance.now() },
  })
  await mine.until(() => mine.taken.length === 2)
  hidden = bo.id
  await practice.fetch(
    new Request(`${address}/clients/${ana.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${practice.ownerKey}`, 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ phone: '5550100' }),
    }),
  )
  // Every call counts there: not asked again before it is due.
  const [calls, before] = [practice.asked.length, looks]
  await mine.until(() => looks >= before + 3)
  expect(practice.asked.length).toBe(calls)
  now += 31 * 60_000
  await mine.until(() => mine.records.clients.find(ana.id)?.phone === '5550100')
  const unlisted = mine.db.prepare('select id from pull_unlisted where is_sure > 0').pluck()
  await mine.until(() => unlisted.all().length === 1)
  expect(unlisted.all()).toEqual([bo.id])
  expect(mine.records.clients.find(bo.id)).toMatchObject({ display_name: 'Bo Lindqvist' })
  expect(practice.asked.slice(made).filter((call) => !call.startsWith('GET /v1/clients?limit'))).toEqual([])

  hidden = ''
  now += 31 * 60_000
  await mine.until(() => unlisted.all().length === 0)
})
