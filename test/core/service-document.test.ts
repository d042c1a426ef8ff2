import { expect, test } from 'vitest'
import { everything, setUpTen } from './ten-kit.ts'

test('a service whose document a gateway forbids is waited for where it never told, and worked with where it did', async () => {
  let isForbidden = true
  const fetch = ((request: Request) => {
    const isDocument = request.method === 'GET' && new URL(request.url).pathname === '/v1'
    return isForbidden && isDocument ? Promise.resolve(new Response('no', { status: 403 })) : globalThis.fetch(request)
  }) as typeof globalThis.fetch
  const { open, service } = await setUpTen({ capabilities: everything }, { fetch })
  const client = await open.call('clients.create', { display_name: 'Marisol Vega' })
  await open.until(async () => (await open.call('outbox.status', {})).phase === 'backing_off')
  expect(await open.call('outbox.list', {})).toMatchObject([{ kind: 'create-client', state: 'waiting', attempts: 0 }])
  isForbidden = false
  await open.call('outbox.retry', {})
  await open.settled()
  isForbidden = true
  // Another connection, of which nothing is known yet but what the service at this address told.
  await open.call('settings.setKey', { which: 'service', key: service.key })
  const { version } = (await open.call('clients.get', { id: client.id })).client
  await open.call('clients.update', { id: client.id, version, patch: { phone: '5550100' } })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect((await service.inside.call('getClient', { params: { id: client.id } })).data.phone).toBe('5550100')
})

test('a gateway that has no service yet when it is first asked is waited for, and not taken for one with few operations', async () => {
  let isStarting = true
  const nothingThere = (): Response => new Response('404 page not found', { status: 404 })
  const fetch = ((request: Request) =>
    isStarting ? Promise.resolve(nothingThere()) : globalThis.fetch(request)) as typeof globalThis.fetch
  const { open, service } = await setUpTen({ capabilities: everything }, { fetch })
  const client = await open.call('clients.create', { display_name: 'Marisol Vega' })
  await open.until(async () => {
    const { phase, waiting } = await open.call('outbox.status', {})
    return waiting === 0 || phase === 'backing_off' || phase === 'offline'
  })
  expect((await open.call('service.offers', {})).waiting).toEqual([])
  isStarting = false
  await open.call('outbox.retry', {})
  await open.settled()
  expect((await service.inside.call('listClients', {})).data.data).toMatchObject([{ id: client.id }])
})

test('a gateway that loses its service right after a record was rightly missed takes nothing for missing', async () => {
  let isLost = false
  const nothingThere = (): Response =>
    new Response('404 page not found', { status: 404, headers: { 'content-type': 'text/plain' } })
  const fetch = ((request: Request) =>
    isLost ? Promise.resolve(nothingThere()) : globalThis.fetch(request)) as typeof globalThis.fetch
  const { open, service } = await setUpTen({ capabilities: everything }, { fetch })
  const client = await open.call('clients.create', { display_name: 'Marisol Vega' })
  await open.settled()
  // Nothing of the kind is there, which the service says itself; what it offers is looked at again by that.
  const missing = { eligibility_id: '0190a0a0-0000-7000-8000-000000000001' }
  await expect(open.call('coverage.original', missing)).rejects.toMatchObject({ code: 'not-found' })
  isLost = true
  await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  await open.until(async () => (await open.call('outbox.list', {}))[0]?.error !== null)
  expect(await open.call('outbox.list', {})).toMatchObject([{ state: 'waiting', error: 'service-unreachable' }])
  isLost = false
  await open.call('outbox.retry', {})
  await open.settled()
  expect((await service.inside.call('getClient', { params: { id: client.id } })).data.phone).toBe('5550100')
})
