import { expect, test } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { embeddedAddress } from '#core/sync/service-connection.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { clientWithSession, isBehindHttp, realService } from '../core-kit.ts'
import { hurried, losingAnswers } from './cuts.ts'
import { expectSame, keptBy, openLaptop, someWork } from './migration-kit.ts'
import { openPractice } from './practice-kit.ts'

/** The service inside the app, to be looked into from outside. */
function insight() {
  const seen: { client: ReturnType<typeof createServiceClient> | null } = { client: null }
  const openService: ServiceFactory = async (options) => {
    const service = await realService(systemClock, silentLog)(options)
    seen.client = createServiceClient({ base_url: embeddedAddress, fetch: (request) => service.fetch(request) })
    return service
  }
  return { openService, inside: () => seen.client! }
}

test.skipIf(isBehindHttp)(
  'a clinician moves to a practice: everything there equals everything here, and work goes on there',
  async () => {
    const practice = await openPractice()
    const { id: person, key } = await practice.person('Dr. Ana Ruiz', ['clinician'])
    const { openService, inside } = insight()
    const laptop = await openLaptop({ openService })
    const { opened } = laptop
    const { client, note_id } = await someWork(opened)
    const therapist = (await opened.call('settings.get', {})).therapist_id
    const weekly = [{ day: 'MO' as const, from: '09:00', to: '12:00' }]
    await opened.call('schedule.setHours', { time_zone: 'Europe/Berlin', weekly, most_per_day: 5, buffer_after: 10 })

    const looked = await opened.call('moving.look', { address: practice.address, key })
    expect(looked).toMatchObject({
      phase: 'looked',
      has_key: true,
      look: {
        practice: 'Practice',
        person: { id: person, name: 'Dr. Ana Ruiz', roles: ['clinician'] },
        there: { ours: 0, others: 0 },
        send: { clients: 2, sessions: 2, consents: 2, transcripts: 1, notes: 2, signed_notes: 1, addenda: 1, templates: 1 },
        days: 1,
        problems: [],
      },
    })
    expect((await keptBy(practice.owner)).listClients.size).toBe(0)

    await opened.call('moving.send', {})
    const checked = await laptop.until(({ phase }) => phase === 'checked')
    expect(checked).toMatchObject({ total: 10, sent: 10, checked: 10, differing: 0, differences: [] })
    // Until it is confirmed the service inside is the one.
    expect(await opened.call('settings.get', {})).toMatchObject({ service_address: null, therapist_id: therapist })

    // What is changed on the way goes with the rest.
    const added = await opened.call('clients.create', { display_name: 'Late Arrival' })
    await opened.settled()
    const confirmed = await opened.call('moving.confirm', {})
    expect(confirmed).toMatchObject({ phase: 'confirmed', old_store: 'kept' })
    expect(await opened.call('settings.get', {})).toMatchObject({
      service_address: practice.address,
      service_has_key: true,
      therapist_id: person,
    })
    const there = await keptBy(practice.as(key))
    expectSame(there, await keptBy(inside()), { person, therapist })
    expect(there.listClients.get(added.id)).toMatchObject({ display_name: 'Late Arrival', clinician_id: person })
    expect(there.listNotes.get(note_id)).toMatchObject({ status: 'amended', signed_by: person })

    const { hours } = await opened.call('schedule.workingTime', {})
    expect(hours).toMatchObject({ clinician_id: person, weekly, most_per_day: 5 })

    const { client: now } = await opened.call('clients.get', { id: client.id })
    await opened.call('clients.update', { id: client.id, version: now.version, patch: { email: 'm@example.org' } })
    await opened.settled()
    expect(await opened.call('outbox.list', {})).toEqual([])
    const { data } = await practice.owner.call('getClient', { params: { id: client.id } })
    expect(data).toMatchObject({ email: 'm@example.org', clinician_id: person })
    expect((await inside().call('getClient', { params: { id: client.id } })).data.email).toBeNull()
  },
)

test('every answer is lost once, and the app ends again and again: nothing is missing and nothing is there twice', async () => {
  const practice = await openPractice()
  const { id: person, key } = await practice.person('Dr. Ana Ruiz', ['clinician'])
  const { openService, inside } = insight()
  const every = process.env['AFTERWORD_FAULTS'] === 'full' ? 1 : 9
  const ending = { now: false }
  const network = losingAnswers(
    () => practice.address,
    (count) => (ending.now ||= count % every === 0),
  )
  const laptop = await openLaptop({ openService, fetch: network.fetch, wait_for_days: hurried() })
  await someWork(laptop.opened)
  const therapist = (await laptop.opened.call('settings.get', {})).therapist_id
  const look = () => laptop.opened.call('moving.look', { address: practice.address, key }).catch(() => null)
  while ((await look()) === null);
  await laptop.opened.call('moving.send', {})
  let restarts = 0
  for (;;) {
    const { phase } = await laptop.until((state) => ending.now || state.phase === 'checked')
    if (phase === 'checked') break
    ending.now = false
    restarts += 1
    await laptop.reopen()
  }
  expect(restarts).toBeGreaterThanOrEqual(2)
  expect(await laptop.moved()).toMatchObject({ differing: 0, differences: [] })
  await laptop.opened.call('moving.confirm', {})
  expectSame(await keptBy(practice.as(key)), await keptBy(inside()), { person, therapist })
})

test('given up before it is confirmed, work goes on here as if nothing had been; what was sent is still there, and known', async () => {
  const practice = await openPractice()
  const { id: person, key } = await practice.person('Dr. Ana Ruiz', ['clinician'])
  const { openService, inside } = insight()
  const laptop = await openLaptop({ openService })
  const { opened } = laptop
  const { client } = await someWork(opened)
  const before = await opened.call('settings.get', {})
  await opened.call('moving.look', { address: practice.address, key })
  await opened.call('moving.send', {})
  await laptop.until(({ phase }) => phase === 'checked')
  expect(await opened.call('moving.undo', {})).toMatchObject({ phase: 'undone', has_key: false, sent: 10 })
  expect(await opened.call('settings.get', {})).toEqual(before)
  const now = (await opened.call('clients.get', { id: client.id })).client
  await opened.call('clients.update', { id: client.id, version: now.version, patch: { email: 'here@example.org' } })
  await opened.settled()
  expect((await inside().call('getClient', { params: { id: client.id } })).data.email).toBe('here@example.org')
  expect((await practice.owner.call('getClient', { params: { id: client.id } })).data.email).toBeNull()
  await expect(opened.call('moving.confirm', {})).rejects.toMatchObject({ code: 'conflict' })

  // Tried again, it goes on with what is there.
  const again = await opened.call('moving.look', { address: practice.address, key })
  expect(again.look).toMatchObject({ there: { ours: 2 }, problems: [{ code: 'sent-before', blocking: false }] })
  await opened.call('moving.send', {})
  await opened.call('moving.confirm', {})
  expectSame(await keptBy(practice.as(key)), await keptBy(inside()), { person, therapist: before.therapist_id })
})

test('a hundred calls a day: it takes the days it said, leaves the others their part, and sends the rest meanwhile', async () => {
  let now = Date.parse('2026-03-02T10:00:00.000Z')
  const clock = { ...systemClock, now: () => now }
  const practice = await openPractice({ clock, plan: 'free' })
  const { key } = await practice.person('Dr. Ana Ruiz', ['clinician'])
  const perDay = new Map<string, number>()
  const counting = (async (request: Request) => {
    const day = new Date(now).toISOString().slice(0, 10)
    if (request.method === 'POST' && request.url.endsWith('/sessions')) perDay.set(day, (perDay.get(day) ?? 0) + 1)
    return fetch(request)
  }) as typeof fetch
  const laptop = await openLaptop({ clock, fetch: counting, wait_for_days: hurried((ms) => (now += ms * 30)) })
  const { opened } = laptop
  const { client } = await someWork(opened)
  for (let week = 1; week <= 10; week += 1) {
    const starts_at = new Date(Date.UTC(2027, 0, 4) + week * 7 * 86_400_000).toISOString()
    await opened.call('sessions.create', { client_id: client.id, session_type: 'individual', starts_at, duration_minutes: 50 })
  }
  // Others have been at work there already.
  for (let call = 0; call < 73; call += 1) await practice.owner.call('listClients', { query: { limit: 1 } })
  const { look } = await opened.call('moving.look', { address: practice.address, key })
  expect(look).toMatchObject({ days: 2, problems: [{ code: 'takes-days', blocking: false }] })
  await opened.call('moving.send', {})
  const waiting = await laptop.until((state) => state.waiting !== null || state.phase === 'checked')
  expect(waiting).toMatchObject({ phase: 'sending', waiting: { reason: 'quota', until: '2026-03-03T00:00:00.000Z' } })
  await laptop.until(({ phase }) => phase === 'checked')
  expect([...perDay]).toEqual([
    ['2026-03-02', 6],
    ['2026-03-03', 6],
  ])
  await opened.call('moving.confirm', {})
})

test('a key that is revoked on the way stops the move, not the work; with another key it goes on', async () => {
  const practice = await openPractice()
  const { key, key_id, id: person } = await practice.person('Dr. Ana Ruiz', ['clinician'])
  let calls = 0
  const revoking = (async (request: Request) => {
    calls += request.url.startsWith(practice.address) && request.method !== 'GET' ? 1 : 0
    if (calls === 5) await practice.owner.call('revokeApiKey', { params: { id: key_id } })
    return fetch(request)
  }) as typeof fetch
  const laptop = await openLaptop({ fetch: revoking, wait_for_days: hurried() })
  const { opened } = laptop
  await someWork(opened)
  await opened.call('moving.look', { address: practice.address, key })
  await opened.call('moving.send', {})
  expect((await laptop.until(({ waiting }) => waiting !== null)).waiting).toEqual({ reason: 'key', until: null })
  await opened.call('clients.create', { display_name: 'Work Goes On' })
  await opened.settled()
  expect(await opened.call('outbox.list', {})).toEqual([])
  await expect(opened.call('moving.confirm', {})).rejects.toMatchObject({ code: 'unauthenticated' })
  const other = { name: 'Another', roles: ['clinician' as const], person_id: person }
  const { secret } = (await practice.owner.call('createApiKey', { body: other })).data
  await opened.call('moving.setKey', { key: secret! })
  await laptop.until(({ phase }) => phase === 'checked')
  await opened.call('moving.confirm', {})
})

test('work that was under way is asked for there; a keychain that is locked at the last step holds nothing up', async () => {
  const practice = await openPractice()
  const { key } = await practice.person('Dr. Ana Ruiz', ['clinician'])
  const keychain = memoryKeychain()
  const laptop = await openLaptop({ keychain })
  const { opened } = laptop
  const { session } = await clientWithSession(opened, 'Under Way')
  await opened.settled()
  await opened.call('outbox.pause', { paused: true })
  await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
  const late = await opened.call('clients.create', { display_name: 'Never Told' })
  await opened.call('moving.look', { address: practice.address, key })
  await opened.call('moving.send', {})
  await laptop.until(({ phase }) => phase === 'checked')
  keychain.trouble = 'keychain-locked'
  expect(await opened.call('moving.confirm', {})).toMatchObject({ phase: 'confirmed' })
  await opened.call('outbox.pause', { paused: false })
  await opened.settled()
  expect(await opened.call('outbox.list', {})).toEqual([])
  const note = (await opened.call('notes.get', { session_id: session.id })).note!
  expect((await practice.as(key).call('getNote', { params: { id: note.id } })).data.session_id).toBe(session.id)
  expect((await practice.owner.call('getClient', { params: { id: late.id } })).data.display_name).toBe('Never Told')

  keychain.trouble = null
  await laptop.reopen()
  await laptop.opened.until(() => ![...keychain.accounts.keys()].some((name) => name.startsWith('moving-key')))
  expect((await laptop.opened.call('settings.get', {})).service_has_key).toBe(true)
})
