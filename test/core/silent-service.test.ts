import { expect, test } from 'vitest'
import { textOf } from '#core/sign-in/session.ts'
import type { MethodName } from '#contract/bridge/methods.ts'
import { type SilentServer, startSilentServer } from '#test/support/silent-server.ts'
import type { LimitedService } from '#test/support/ten-operations.ts'
import { clientWithSession, type OpenCore } from './core-kit.ts'
import { openLaptop } from './service-migration/migration-kit.ts'
import { openPractice } from './service-migration/practice-kit.ts'
import { everything, setUpTen } from './ten-kit.ts'

/** Nothing but being closed ends the silence of a service: these never ring. */
const timer = () => () => {}

/** A line that leads to the service, until it leads to one that takes every call and never answers. */
async function silenceable() {
  const silent = await startSilentServer()
  const line = { isSilent: false }
  const fetch = ((asked: Request | string, init?: RequestInit) => {
    const request = new Request(asked, init)
    return globalThis.fetch(line.isSilent ? silent.instead(request) : request)
  }) as typeof globalThis.fetch
  return { silent, line, ports: { fetch, timer } }
}

const heard = (open: OpenCore, { asked }: SilentServer, ...calls: string[]): Promise<void> =>
  open.until(() => calls.every((call) => asked.includes(call)))

/** What a window asks and nobody answers; how each ended. */
function asking(open: OpenCore, ...calls: readonly (readonly [MethodName, unknown])[]) {
  const answers = calls.map(([name, input]) => open.core.call(name, input))
  return async () => (await Promise.all(answers)).map((answer) => (answer.ok ? 'answered' : answer.error.code))
}

/** Where the feed stands, what came meanwhile, and then what changes as it happens: that is asked for last. */
const following = (open: OpenCore, { asked }: LimitedService): Promise<void> =>
  open.until(() => asked.filter((call) => call === 'GET /events').length >= 3)

test('closing waits for no word of what the service offers', async () => {
  const { silent, line, ports } = await silenceable()
  const { open, service, start } = await setUpTen({ capabilities: everything }, ports)
  await following(open, service)
  await open.core.close()
  line.isSilent = true
  const again = await start()
  await again.call('clients.create', { display_name: 'Not Yet Told' })
  const ended = asking(again, ['service.offers', {}], ['models.list', {}], ['voices.get', {}])
  await heard(again, silent, 'GET /v1')
  await again.core.close()
  expect(await ended()).toEqual(['answered', 'cancelled', 'cancelled'])

  line.isSilent = false
  const later = await start()
  await later.settled()
  expect(await later.call('outbox.list', {})).toEqual([])
})

test('closing waits for nothing that is sent, pulled or asked, and what was on its way is sent the next time', async () => {
  const { silent, line, ports } = await silenceable()
  const { open, service, start } = await setUpTen({ capabilities: everything }, ports)
  const { client } = await clientWithSession(open)
  await open.call('settings.update', { speech_address: `${silent.origin}/v1` })
  await open.settled()
  await following(open, service)
  line.isSilent = true
  // What pulls begins anew.
  await open.call('outbox.pause', { paused: true })
  await open.call('outbox.pause', { paused: false })
  const added = await open.call('clients.create', { display_name: 'On Its Way' })
  const ended = asking(
    open,
    ['coverage.get', { client_id: client.id }],
    ['figures.read', { period: 'year' }],
    ['schedule.workingTime', {}],
    ['voices.get', {}],
    ['models.list', {}],
    ['settings.signIn', {}],
    ['settings.testSpeech', {}],
  )
  await heard(open, silent, 'POST /v1/clients', 'GET /v1/events', 'GET /v1/coverage', 'GET /v1/analytics', 'GET /v1/models')
  await heard(open, silent, 'GET /v1/availability', 'GET /v1/voices/mine')
  await open.core.close()
  // A test of a server answers whatever comes of it.
  expect(await ended()).toEqual([...Array.from({ length: 6 }, () => 'cancelled'), 'answered'])

  line.isSilent = false
  const again = await start()
  await again.settled()
  expect(await again.call('outbox.list', {})).toEqual([])
  const there = (await service.inside.call('listClients', {})).data.data.filter(({ id }) => id === added.id)
  expect(there).toHaveLength(1)
})

test('closing waits for nobody who signs people in', async () => {
  const { silent, ports } = await silenceable()
  const { open, service } = await setUpTen({ capabilities: everything }, ports)
  const provider = { issuer: silent.origin, client_id: 'desktop', resource: service.address, scopes: [] }
  const tokens = { access_token: 'over', refresh_token: 'kept', expires_at: 0 }
  await open.call('settings.setKey', { which: 'service', key: textOf({ provider, tokens }) })
  const ended = asking(open, ['voices.get', {}])
  await heard(open, silent, 'GET /.well-known/openid-configuration')
  await open.core.close()
  expect(await ended()).toEqual(['cancelled'])
})

test('closing waits for no service that is moved to, and the move goes on the next time', async () => {
  const practice = await openPractice()
  const { id, key } = await practice.person('Dr. Ana Ruiz', ['clinician'])
  const { silent, line, ports } = await silenceable()
  const laptop = await openLaptop(ports)
  await clientWithSession(laptop.opened)
  await laptop.opened.settled()
  line.isSilent = true
  const looking = asking(laptop.opened, ['moving.look', { address: practice.address, key }])
  await heard(laptop.opened, silent, 'GET /v1')
  await laptop.opened.core.close()
  expect(await looking()).toEqual(['cancelled'])

  line.isSilent = false
  await laptop.reopen()
  await laptop.opened.call('moving.look', { address: practice.address, key })
  line.isSilent = true
  await laptop.opened.call('moving.send', {})
  const before = silent.asked.length
  const ended = asking(laptop.opened, ['moving.confirm', { leaving: false }], ['moving.setKey', { key }])
  await laptop.opened.until(() => silent.asked.slice(before).includes('GET /v1/me'))
  await laptop.opened.core.close()
  expect(await ended()).toEqual(['cancelled', 'cancelled'])

  line.isSilent = false
  await laptop.reopen()
  await laptop.until(({ phase }) => phase === 'checked')
  await laptop.opened.call('moving.confirm', {})
  expect(await laptop.opened.call('settings.get', {})).toMatchObject({ therapist_id: id, service_address: practice.address })
})

test('another service is pulled from at once, though the one before never says what it offers', async () => {
  const silent = await startSilentServer()
  const { open, service } = await setUpTen({ capabilities: everything }, { fetch, timer })
  await open.call('settings.update', { service_address: `${silent.origin}/v1` })
  await open.until(() => silent.asked.includes('GET /v1'))
  const { data: client } = await service.inside.call('createClient', { body: { display_name: 'Marisol Vega' } })
  await open.call('settings.update', { service_address: service.address })
  await open.until(async () => (await open.call('clients.list', {})).some((row) => row.client.id === client.id))
})

test('what is on its way to a service that keeps silent goes to another one at once, where that is used instead', async () => {
  const silent = await startSilentServer()
  const { open, service } = await setUpTen({ capabilities: everything }, { fetch, timer })
  await open.call('settings.update', { service_address: `${silent.origin}/v1` })
  const names = ['Ana', 'Bo', 'Cleo', 'Dora', 'Eli']
  for (const display_name of names) await open.call('clients.create', { display_name })
  await open.until(async () => (await open.call('outbox.list', {})).filter(({ state }) => state === 'sending').length > 0)
  await open.call('settings.update', { service_address: service.address })
  await open.settled()
  const there = (await service.inside.call('listClients', {})).data.data.map(({ display_name }) => display_name)
  expect(there.toSorted()).toEqual(names)
})
