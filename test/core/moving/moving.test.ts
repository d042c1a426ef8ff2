import { expect, test } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceFactory } from '#core/open-core.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { embeddedAddress } from '#core/sync/service-connection.ts'
import { realService } from '../core-kit.ts'
import { expectSame, keptBy, openLaptop, someWork } from './moving-kit.ts'
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

test('a clinician moves to a practice: everything there equals everything here, and work goes on there', async () => {
  const practice = await openPractice()
  const { id: person, key } = await practice.person('Dr. Ana Ruiz', ['clinician'])
  const { openService, inside } = insight()
  const laptop = await openLaptop({ openService })
  const { opened } = laptop
  const { client, note_id } = await someWork(opened)
  const therapist = (await opened.call('settings.get', {})).therapist_id

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

  const { client: now } = await opened.call('clients.get', { id: client.id })
  await opened.call('clients.update', { id: client.id, version: now.version, patch: { email: 'm@example.org' } })
  await opened.settled()
  expect(await opened.call('outbox.list', {})).toEqual([])
  const { data } = await practice.owner.call('getClient', { params: { id: client.id } })
  expect(data).toMatchObject({ email: 'm@example.org', clinician_id: person })
  expect((await inside().call('getClient', { params: { id: client.id } })).data.email).toBeNull()
})
