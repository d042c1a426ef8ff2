import { expect, test } from 'vitest'
import { clientWithSession, dialogue } from './core-kit.ts'
import { everything, setUpTen } from './ten-kit.ts'

const others = (asked: readonly string[]): string[] => asked.filter((call) => call !== 'GET /')

test('of a service with the ten operations alone nothing else is asked, and what it cannot be told stays here without an error', async () => {
  const { open, service } = await setUpTen()
  const { session } = await clientWithSession(open)
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect(await open.call('outbox.status', {})).toMatchObject({ waiting: 0, needs_you: 0, service: 'remote', reachable: true })
  expect(others(service.asked)).toEqual([])
  expect([...new Set(service.asked)]).toEqual(['GET /'])
  expect(await open.call('service.offers', {})).toMatchObject({
    service: 'remote',
    is_known: true,
    kept_there: ['sessions'],
    waiting: [
      { kind: 'create-client', count: 1 },
      { kind: 'create-session', count: 1 },
      { kind: 'give-consent', count: 1 },
      { kind: 'put-transcript', count: 1 },
      { kind: 'update-session', count: 1 },
    ],
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
  expect(service.asked.filter((call) => call === 'POST /sessions')).toHaveLength(2)
})
