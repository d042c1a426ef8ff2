import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientWithSession, dialogue } from '../core-kit.ts'
import { practice, type TestLaptop } from './laptops.ts'

let office: Awaited<ReturnType<typeof practice>>
let one: TestLaptop
let two: TestLaptop
beforeAll(async () => {
  office = await practice()
  ;[one, two] = [await office.laptop(), await office.laptop()]
})
afterAll(() => office.close())

async function shared(name: string) {
  for (const laptop of [one, two]) laptop.isOnline = true
  const made = await clientWithSession(one, name)
  await two.until(async () => (await two.call('consents.list', { client_id: made.client.id })).length === 1)
  await two.until(async () => (await two.call('sessions.list', { client_id: made.client.id })).length === 1)
  return made
}

test('revoked on one laptop is revoked on the other at once, and what waits there for it ends', async () => {
  const { client, consent, session } = await shared('Withdrawing Client')
  two.isOnline = false
  const content = new TextEncoder().encode(dialogue)
  await two.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await two.call('notes.draft', { session_id: session.id, template: 'soap' })
  await one.call('consents.revoke', { id: consent.id })
  await one.sent()
  two.isOnline = true
  await two.until(async () => (await two.call('consents.list', { client_id: client.id }))[0]!.revoked_at !== null)
  await two.sent()
  expect((await two.call('consents.gate', { session_id: session.id })).granted).toEqual([])
  expect((await two.call('notes.get', { session_id: session.id })).work).toMatchObject({ error: 'consent-missing' })
  expect(await two.call('outbox.list', {})).toEqual([])
})

test('revoked here stays revoked, whatever the service says of it still', async () => {
  const { client, consent } = await shared('Withdrawn Offline')
  two.isOnline = false
  const { revoked_at } = await two.call('consents.revoke', { id: consent.id })
  await one.call('clients.update', { id: client.id, version: client.version, patch: { phone: '5550100' } })
  await one.sent()
  two.isOnline = true
  await two.sent()
  await one.until(async () => (await one.call('consents.list', { client_id: client.id }))[0]!.revoked_at !== null)
  for (const laptop of [one, two])
    expect((await laptop.call('consents.list', { client_id: client.id }))[0]!.revoked_at).toBe(revoked_at)
})

test('revoked here after it was revoked elsewhere and given anew there, nothing of it is agreed to any more on either', async () => {
  const { client, consent, session } = await shared('Refused Twice')
  two.isOnline = false
  await one.call('consents.revoke', { id: consent.id })
  const { participant, scopes, text_version, method } = consent
  await one.call('consents.give', { client_id: client.id, participant, scopes, text_version, method })
  await one.sent()
  const { revoked_at } = await two.call('consents.revoke', { id: consent.id })
  two.isOnline = true
  for (const laptop of [two, one]) {
    await laptop.until(async () => {
      const forms = await laptop.call('consents.list', { client_id: client.id })
      return forms.length === 2 && forms.every((form) => form.revoked_at !== null)
    })
    expect((await laptop.call('consents.gate', { session_id: session.id })).granted).toEqual([])
  }
  await two.sent()
  const ends = async (laptop: typeof one) =>
    (await laptop.call('consents.list', { client_id: client.id })).map((form) => [form.id, form.revoked_at])
  expect(await ends(two)).toEqual(await ends(one))
  expect((await ends(two)).find(([id]) => id !== consent.id)).toEqual([expect.any(String), revoked_at])
})

test('a session moved on one laptop and with other people on the other is both', async () => {
  const { session } = await shared('Moved And More')
  two.isOnline = false
  const starts_at = new Date(Date.parse(session.starts_at) + 5 * 60_000).toISOString()
  await one.call('sessions.update', { id: session.id, version: session.version, patch: { starts_at } })
  const partner = { name: 'Partner of the client', role: 'partner' as const }
  const here = (await two.call('sessions.get', { id: session.id })).session
  await two.call('sessions.update', { id: session.id, version: here.version, patch: { participants: [partner] } })
  await one.sent()
  two.isOnline = true
  await two.sent()
  for (const laptop of [one, two]) {
    const now = async () => (await laptop.call('sessions.get', { id: session.id })).session
    await laptop.until(async () => (await now()).participants.length === 1 && (await now()).starts_at === starts_at)
    expect((await now()).ends_at).toBe(new Date(Date.parse(starts_at) + 50 * 60_000).toISOString())
  }
  expect(await two.conflicts()).toEqual([])
})

test('a booking that the service refuses comes back with times that can be had, and one of them is taken', async () => {
  const { client, session } = await shared('Booked First')
  const later = new Date()
  later.setUTCDate(later.getUTCDate() + 7)
  later.setUTCHours(10, 0, 0, 0)
  const booking = { session_type: 'individual' as const, starts_at: later.toISOString(), duration_minutes: 50 }
  expect(session.client_id).toBe(client.id)
  two.isOnline = false
  await one.call('sessions.create', { ...booking, client_id: client.id })
  await one.sent()
  const refused = await two.call('sessions.create', { ...booking, client_id: client.id })
  two.isOnline = true
  await two.until(async () => (await two.conflicts()).length > 0)
  const conflict = await two.conflict('booking')
  expect(conflict).toMatchObject({ session_id: refused.id, client_name: 'Booked First', session: { id: refused.id } })
  expect(conflict.proposals.length).toBeGreaterThan(0)
  const { start, utc_offset } = conflict.proposals[0]!.occurrences[0]!
  const starts_at = new Date(`${start}${utc_offset}`).toISOString()
  await two.call('conflicts.resolve', { id: conflict.id, version: conflict.version, choice: { kind: 'booking', starts_at } })
  await two.sent()
  expect(await two.call('outbox.list', {})).toEqual([])
  expect(await two.conflicts()).toEqual([])
  expect((await office.there.call('getSession', { params: { id: refused.id } })).data.starts_at).toBe(starts_at)
})

test('a refused booking whose time is free again is asked for again, and the question is over', async () => {
  const { client } = await shared('Booked Twice')
  const later = new Date()
  later.setUTCDate(later.getUTCDate() + 8)
  later.setUTCHours(15, 0, 0, 0)
  const booking = {
    client_id: client.id,
    session_type: 'individual' as const,
    starts_at: later.toISOString(),
    duration_minutes: 50,
  }
  two.isOnline = false
  const first = await one.call('sessions.create', booking)
  await one.sent()
  const refused = await two.call('sessions.create', booking)
  two.isOnline = true
  await two.until(async () => (await two.conflicts()).length > 0)
  await one.call('sessions.update', { id: first.id, version: first.version, patch: { status: 'cancelled' } })
  await one.sent()
  await two.call('outbox.retry', {})
  await two.sent()
  expect(await two.conflicts()).toEqual([])
  expect((await office.there.call('getSession', { params: { id: refused.id } })).data.status).toBe('scheduled')
})
