import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { AuthorityKit, Person } from './authority-kit.ts'
import { insertRecords } from './records-of-a-client.ts'
import type { RecordsOfClient } from './records-of-a-client.ts'

let kit: AuthorityKit
let clinician: Person
let colleague: Person
let records: RecordsOfClient
beforeAll(async () => {
  kit = await openAuthorityKit()
  clinician = await kit.person(['clinician'])
  colleague = await kit.person(['clinician'])
})
afterAll(() => kit.close())
beforeEach(async () => {
  records = await kit.write(kit.practice, (write) => insertRecords(write, kit.practice, clinician.id))
})

/** The client is the colleague's from now on, sessions included. */
const handOver = () =>
  kit.write(kit.practice, async (write) => {
    const now = { clinician_id: colleague.id }
    await write.updateTable('clients').set(now).where('id', '=', records.client).execute()
    await write.updateTable('sessions').set(now).where('client_id', '=', records.client).execute()
  })

/** Twice by the clinician under one key, the second time with the client handed over. */
async function again(path: string, body: object): Promise<unknown[]> {
  const key = { 'Idempotency-Key': newId() }
  const first = await clinician.call('POST', path, body, key)
  const same = await clinician.call('POST', path, body, key)
  expect(same.headers.get('idempotency-replayed')).toBe('true')
  await handOver()
  return [first.status, same.status, (await clinician.call('POST', path, body, key)).status]
}

test('an authorisation that was entered is not shown again once the client is a colleague’s', async () => {
  const body = { client_id: records.client, payer_id: 'P1', number: 'A-7', starts_on: '2026-01-01' }
  expect(await again('/authorisations', body)).toEqual([201, 201, 404])
})

test('nor is a booking', async () => {
  const start = '2028-01-04T10:00:00'
  const request = { client_ids: [records.client], type: 'individual', duration_minutes: 50, start, tzid: 'UTC' }
  expect(await again('/ai/schedule', { mode: 'book', request })).toEqual([200, 200, 404])
})
