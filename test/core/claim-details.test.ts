import { afterEach, beforeEach, expect, test } from 'vitest'
import { coreKit, createProfile, noService, type CoreKit, type OpenCore } from './core-kit.ts'

let kit: CoreKit
let open: OpenCore
beforeEach(async () => {
  kit = coreKit()
  open = await kit.open({ openService: noService })
  await createProfile(open)
})
afterEach(async () => {
  await open.core.close()
  kit.remove()
})

const billing = { place_of_service: '10', modifier: '95', add_on_code: '90785' }

test('record number, place of service, modifier and add-on code are kept here, audited, and sent to nobody', async () => {
  const client = await open.call('clients.create', { display_name: 'Ana Lopez' })
  const client_id = client.id
  const times = { starts_at: '2026-11-24T15:00:00Z', duration_minutes: 50 }
  const session = await open.call('sessions.create', { client_id, session_type: 'individual', ...times })
  const waiting = (await open.call('outbox.list', {})).length
  const { id, version } = client
  expect(await open.call('clients.update', { id, version, patch: {}, record_number: ' AS-00417 ' })).toEqual(client)
  const change = { id: session.id, version: session.version, patch: {}, billing }
  expect(await open.call('sessions.update', change)).toEqual(session)
  expect(await open.call('outbox.list', {})).toHaveLength(waiting)
  await open.core.close()

  open = await kit.open({ openService: noService })
  expect(await open.call('clients.get', { id })).toMatchObject({ record_number: 'AS-00417' })
  expect(await open.call('clients.list', {})).toMatchObject([{ record_number: 'AS-00417' }])
  expect((await open.call('sessions.get', { id: session.id })).billing).toEqual(billing)
  expect((await open.call('sessions.list', {}))[0]!.billing).toEqual(billing)
  await open.call('sessions.update', { id: session.id, version: session.version, patch: { cpt_code: '90834' } })
  expect((await open.call('sessions.get', { id: session.id })).billing).toEqual(billing)
  await open.call('clients.update', { id, version, patch: { phone: '555-0142' }, record_number: null })
  expect(await open.call('clients.get', { id })).toMatchObject({ record_number: null, client: { phone: '555-0142' } })
})

test('an NPI with a wrong digit is refused, and the one on file stays', async () => {
  await open.call('settings.update', { therapist_npi: '1234567893', practice_npi: '1245319599' })
  for (const wrong of ['1234567894', '123456789', '3234567893'])
    await expect(open.call('settings.update', { therapist_npi: wrong })).rejects.toMatchObject({ code: 'validation-failed' })
  expect(await open.call('settings.get', {})).toMatchObject({ therapist_npi: '1234567893', practice_npi: '1245319599' })
})
