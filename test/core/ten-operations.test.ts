import { expect, onTestFinished, test } from 'vitest'
import { recordSorts } from '#contract/bridge/moving.ts'
import { routes } from '#contract/rest/routes.ts'
import { startLimitedService } from '#test/support/ten-operations.ts'
import { clientWithSession, dialogue } from './core-kit.ts'
import { everything, sessionThere, setUpTen } from './ten-kit.ts'

test('of a service with the ten operations alone nothing else is asked, and what it cannot be told stays here without an error', async () => {
  const { open, service } = await setUpTen()
  const { session } = await clientWithSession(open)
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect(await open.call('outbox.status', {})).toMatchObject({ waiting: 0, needs_you: 0, service: 'remote', reachable: true })
  expect(service.asked.filter((call) => call !== 'GET /' && call !== 'GET /clients')).toEqual([])
  expect(await open.call('service.offers', {})).toMatchObject({
    service: 'remote',
    is_known: true,
    kept_there: ['sessions'],
    brought_here: ['clients'],
    tells_changes: false,
    unlisted: [],
    waiting: expect.arrayContaining([
      { kind: 'create-client', count: 1 },
      { kind: 'create-session', count: 1 },
      { kind: 'give-consent', count: 1 },
      { kind: 'put-transcript', count: 1 },
    ]),
  })
})

test('what stayed here is told once the service takes it, as it stands then', async () => {
  const { open, service, start } = await setUpTen()
  const { client, session, consent } = await clientWithSession(open)
  const content = new TextEncoder().encode(dialogue)
  const transcript = await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  await open.call('clients.update', { id: client.id, version: 2, patch: { phone: '5550101' } })
  await open.settled()
  await open.core.close()

  service.offer(everything)
  const again = await start()
  await again.until(async () => (await again.call('service.offers', {})).waiting.length === 0)
  await again.settled()
  expect(await again.call('outbox.list', {})).toEqual([])
  const id = { params: { id: client.id } }
  expect((await service.inside.call('getClient', id)).data).toMatchObject({ phone: '5550101' })
  expect((await service.inside.call('getSession', { params: { id: session.id } })).data).toMatchObject({ status: 'completed' })
  expect((await service.inside.call('listConsents', {})).data.data.map((one) => one.id)).toEqual([consent.id])
  expect((await service.inside.call('getTranscript', { params: { id: transcript.id } })).data.segments).toHaveLength(
    transcript.segments.length,
  )
})

test('a service that no longer offers what it offered is asked anew, and what it no longer takes stays here', async () => {
  const { open, service } = await setUpTen({ capabilities: everything })
  const client = await open.call('clients.create', { display_name: 'Known There' })
  await open.settled()
  expect((await service.inside.call('listClients', {})).data.data).toMatchObject([{ id: client.id }])
  expect(await open.call('service.offers', {})).toMatchObject({
    kept_there: [...recordSorts],
    brought_here: ['clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates'],
    tells_changes: true,
  })

  service.offer(null)
  await open.call('settings.setKey', { which: 'service', key: service.key })
  await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  const session = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: '2024-03-04T09:00:00Z',
    duration_minutes: 50,
  })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect((await open.call('service.offers', {})).waiting).toEqual([{ kind: 'update-client', count: 1 }])
  expect((await service.inside.call('getSession', { params: { id: session.id } })).data).toMatchObject({ client_id: client.id })
})

test('a gateway that has lost its service for a while takes nothing away from what that offers', async () => {
  let isLost = false
  const nothingThere = (): Response =>
    new Response('404 page not found', { status: 404, headers: { 'content-type': 'text/plain' } })
  const fetch = ((request: Request) =>
    isLost ? Promise.resolve(nothingThere()) : globalThis.fetch(request)) as typeof globalThis.fetch
  const { open, service } = await setUpTen({ capabilities: everything }, { fetch })
  const client = await open.call('clients.create', { display_name: 'Known There' })
  await open.settled()

  isLost = true
  await open.call('settings.setKey', { which: 'service', key: service.key })
  const lost = await open.call('service.offers', {})
  expect(lost.kept_there).toContain('clients')
  await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  await open.until(async () => !(await open.call('outbox.status', {})).reachable)
  expect(await open.call('outbox.list', {})).toMatchObject([{ kind: 'update-client', state: 'waiting' }])
  expect((await open.call('service.offers', {})).waiting).toEqual([])

  isLost = false
  await open.call('settings.setKey', { which: 'service', key: service.key })
  await open.settled()
  const there = await service.inside.call('getClient', { params: { id: client.id } })
  expect(there.data).toMatchObject({ phone: '5550100' })
})

test('back from a service that could be told nothing, the one on this laptop is told everything', async () => {
  const { open } = await setUpTen()
  await open.call('clients.create', { display_name: 'Only Here' })
  await open.settled()
  expect((await open.call('service.offers', {})).waiting).toEqual([{ kind: 'create-client', count: 1 }])
  await open.call('settings.update', { service_address: null })
  expect(await open.call('outbox.list', {})).toMatchObject([{ kind: 'create-client' }])
  expect((await open.call('service.offers', {})).waiting).toEqual([])
})

test('a session whose answer was lost is there once, also where it cannot be read', async () => {
  const { open, service } = await setUpTen({ capabilities: ['clients.write'], forgetsKeys: true })
  const client = await open.call('clients.create', { display_name: 'Known There' })
  service.answerOnce('POST /sessions', 'cut after')
  const session = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: '2024-03-04T09:00:00Z',
    duration_minutes: 50,
  })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect((await service.inside.call('listSessions', {})).data.data).toMatchObject([{ id: session.id }])
  // Lost; again, refused since nobody there has this laptop's id; again without that id.
  expect(service.asked.filter((call) => call === 'POST /sessions')).toHaveLength(3)
})

const card = {
  payer_id: 'AWSANDBOX',
  payer_name: 'Sandbox payer',
  member_id: 'AWTEST-ACTIVE',
  group_number: null,
  relationship: 'self' as const,
}
const sample = { given_name: 'Sam', family_name: 'Sample', date_of_birth: '1990-01-31', insurance: card }
const code = (expected: string) => expect.objectContaining({ code: expected })
const slot = { session_type: 'individual' as const, duration_minutes: 50, time_zone: 'America/Chicago' }

test('times are found, cover is asked for and figures are read with nothing but the published operations', async () => {
  const kit = await setUpTen()
  const { open, service } = kit
  const { client, session } = await sessionThere(kit, sample)
  await open.settled()
  const { proposals } = await open.call('schedule.ask', { mode: 'propose', client_id: client.id, ...slot, text: 'any Tuesday' })
  const [first] = proposals[0]!.occurrences
  const starts = [new Date(`${first!.start}${first!.utc_offset}`).toISOString()]
  const [booked] = await open.call('schedule.book', { client_id: client.id, ...slot, starts })
  await open.settled()
  const there = (await service.inside.call('listSessions', {})).data.data.map(({ id }) => id)
  expect(there.toSorted()).toEqual([session.id, booked!.id].toSorted())
  expect(await open.call('schedule.workingTime', {})).toMatchObject({ hours: null, away: [] })

  const { coverage } = await open.call('coverage.check', { client_id: client.id })
  expect(coverage.checks).toMatchObject([{ status: 'active' }])
  expect((await open.call('coverage.get', { client_id: client.id })).checks).toHaveLength(1)
  expect((await open.call('figures.read', { period: 'four_weeks' })).analytics.totals).toBeDefined()

  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  expect((await open.call('notes.get', { session_id: session.id })).note?.sections.length).toBeGreaterThan(0)
  expect(await open.call('outbox.list', {})).toEqual([])
  const published = new Set(Object.values(routes).flatMap((route) => (route.published ? [`${route.method} ${route.path}`] : [])))
  expect([...new Set(service.asked)].filter((call) => !published.has(call))).toEqual(['GET /'])
})

test('a client made here is worked with as far as it goes, and what does not go says why in words', async () => {
  const { open, service } = await setUpTen()
  const client = await open.call('clients.create', { display_name: 'Only Here', ...sample })
  const session = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: '2024-03-04T09:00:00Z',
    duration_minutes: 50,
  })
  await open.call('consents.give', {
    client_id: client.id,
    participant: { name: 'Only Here', role: 'client' },
    scopes: ['record', 'transcribe', 'draft', 'analyze'],
    text_version: '1',
    method: 'spoken',
  })
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.call('insights.request', { session_id: session.id })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  expect((await open.call('insights.get', { session_id: session.id })).analysis).not.toBeNull()
  expect((await open.call('notes.get', { session_id: session.id })).work).toMatchObject({ error: 'client-not-there' })
  expect(await open.call('outbox.list', {})).toMatchObject([{ kind: 'draft-note', error: 'client-not-there' }])
  // The sandbox payer answers whoever it does not know under a test key alone.
  const body = { name: 'Sandbox', roles: ['owner' as const], mode: 'test' as const }
  const { secret } = (await service.inside.call('createApiKey', { body })).data
  await open.call('settings.setKey', { which: 'service', key: secret! })
  expect((await open.call('coverage.check', { client_id: client.id })).coverage.checks).toMatchObject([{ status: 'active' }])
  await expect(open.call('schedule.ask', { mode: 'propose', client_id: client.id, ...slot })).rejects.toEqual(
    code('client-not-there'),
  )
})

test('after weeks without a network all that the service takes is there once, and the rest is here', async () => {
  const kit = await setUpTen()
  const { open, service, network } = kit
  const { client, consent, session } = await sessionThere(kit)
  await open.settled()
  network.isUp = false
  const content = new TextEncoder().encode(dialogue)
  const sessions = [session.id]
  for (let day = 5; day < 9; day += 1) {
    const starts_at = `2024-03-${String(day).padStart(2, '0')}T09:00:00Z`
    const about = { client_id: client.id, session_type: 'individual', duration_minutes: 50 } as const
    const { id } = await open.call('sessions.create', { ...about, starts_at })
    await open.call('transcripts.import', { session_id: id, file_name: 'session.txt', content })
    await open.call('notes.draft', { session_id: id, template: 'soap' })
    sessions.push(id)
  }
  const only = await open.call('clients.create', { display_name: 'Made Offline' })
  await open.core.close()

  const again = await kit.start()
  expect(await again.call('outbox.status', {})).toMatchObject({ needs_you: 0 })
  network.isUp = true
  await again.call('outbox.retry', {})
  await again.settled()
  expect(await again.call('outbox.list', {})).toEqual([])
  const there = (await service.inside.call('listSessions', {})).data.data.map(({ id }) => id)
  expect(there.toSorted()).toEqual(sessions.toSorted())
  for (const session_id of sessions.slice(1)) expect((await again.call('notes.get', { session_id })).note).not.toBeNull()
  expect((await service.inside.call('listClients', {})).data.data.map(({ id }) => id)).toEqual([client.id])
  const kept = (await again.call('service.offers', {})).waiting
  expect(kept).toEqual(
    expect.arrayContaining([
      { kind: 'create-client', count: 1 },
      { kind: 'put-transcript', count: 4 },
    ]),
  )
  expect((await again.call('clients.get', { id: only.id })).client.display_name).toBe('Made Offline')

  // Taken back, it holds here at once, for the service keeps no consents.
  await again.call('consents.revoke', { id: consent.id })
  const refused = await again.call('notes.draft', { session_id: sessions[1]!, template: 'dap' })
  expect(refused).toMatchObject({ error: 'consent-missing' })
})

test('pointed at a service that was never told of a client, the app works on as far as it goes and loses nothing', async () => {
  const { open } = await setUpTen({ capabilities: everything })
  const { client, session } = await clientWithSession(open)
  const scopes = ['record', 'transcribe', 'draft', 'analyze'] as const
  const participant = { name: 'Marisol Vega', role: 'client' } as const
  await open.call('consents.give', {
    client_id: client.id,
    participant,
    scopes: [...scopes],
    text_version: '2',
    method: 'spoken',
  })
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.settled()
  const other = await startLimitedService()
  onTestFinished(() => other.close())
  const { look } = await open.call('moving.look', { address: other.address, key: other.key })
  expect(look?.problems).toEqual([{ code: 'published-only', blocking: true }])
  await open.call('settings.update', { service_address: other.address })

  await open.call('insights.request', { session_id: session.id })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  const about = { client_id: client.id, session_type: 'individual', duration_minutes: 50 } as const
  await open.call('sessions.create', { ...about, starts_at: '2024-04-04T09:00:00Z' })
  await open.settled()
  expect((await open.call('insights.get', { session_id: session.id })).analysis).not.toBeNull()
  expect(await open.call('outbox.list', {})).toMatchObject([{ kind: 'draft-note', error: 'client-not-there' }])
  expect((await open.call('service.offers', {})).waiting).toEqual([{ kind: 'create-session', count: 1 }])
})

test('a service that says no more than it must, and shows a page where there is nothing, is worked with all the same', async () => {
  const kit = await setUpTen({ isTerse: true })
  const { open, service } = kit
  const { session } = await sessionThere(kit)
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.call('insights.request', { session_id: session.id })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect((await service.inside.call('listSessions', {})).data.data).toMatchObject([{ id: session.id }])
  expect((await open.call('notes.get', { session_id: session.id })).note?.sections.length).toBeGreaterThan(0)
  expect((await open.call('insights.get', { session_id: session.id })).analysis).not.toBeNull()
  expect(await open.call('figures.read', { period: 'four_weeks' })).toBeDefined()
})
