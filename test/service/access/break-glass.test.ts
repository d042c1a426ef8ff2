import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAuthorityKit } from './authority-kit.ts'
import type { AuthorityKit, Person } from './authority-kit.ts'
import { insertRecords } from './records-of-a-client.ts'
import type { RecordsOfClient } from './records-of-a-client.ts'

const monday = Date.UTC(2026, 6, 6, 9)
let now = monday
let kit: AuthorityKit
let clinician: Person
let records: RecordsOfClient
let another: RecordsOfClient
beforeAll(async () => {
  kit = await openAuthorityKit({ clock: { now: () => now, elapsed: () => now } })
})
afterAll(() => kit.close())
beforeEach(async () => {
  now = monday
  clinician = await kit.person(['clinician'])
  const colleague = await kit.person(['clinician'])
  records = await kit.write(kit.practice, (write) => insertRecords(write, kit.practice, colleague.id))
  another = await kit.write(kit.practice, (write) => insertRecords(write, kit.practice, colleague.id))
})

const emergency = { 'Purpose-Of-Use': 'ETREAT' }
const breakGlass = (person: Person, client_id: string) =>
  person.call('POST', '/break-glass', { client_id, reason: 'Called from the emergency room', purpose: 'ETREAT' })
const read = (person: Person, note: string, headers = {}) => person.call('GET', `/notes/${note}`, undefined, headers)

test('one client’s records are open to one person for sixty minutes, for calls that say so', async () => {
  expect((await read(clinician, records.note, emergency)).status).toBe(404)
  const opened = await breakGlass(clinician, records.client)
  expect([opened.status, opened.body.ends_at]).toEqual([201, '2026-07-06T10:00:00.000Z'])
  expect((await read(clinician, records.note, emergency)).status).toBe(200)
  expect((await clinician.call('GET', `/transcripts/${records.transcript}`, undefined, emergency)).status).toBe(200)
  expect((await clinician.call('GET', `/clients/${records.client}`, undefined, emergency)).status).toBe(200)
  const unsaid = await read(clinician, records.note)
  expect([unsaid.status, unsaid.body.code]).toEqual([403, 'purpose-missing'])
  expect((await clinician.call('GET', '/clients')).body.data).toEqual([])
  expect((await read(clinician, another.note, emergency)).status).toBe(404)
  expect((await read(await kit.person(['clinician']), records.note, emergency)).status).toBe(404)
  now += 60 * 60_000 - 1
  expect((await read(clinician, records.note, emergency)).status).toBe(200)
  now += 1
  expect((await read(clinician, records.note, emergency)).status).toBe(404)
})

test('never psychotherapy notes', async () => {
  const [author] = await kit.ask<{ clinician_id: string }>(`select clinician_id from clients where id = '${records.client}'`)
  expect(author).toBeDefined()
  await breakGlass(clinician, records.client)
  const list = await clinician.call('GET', `/psychotherapy-notes?client_id=${records.client}`, undefined, emergency)
  expect([list.status, list.body.data]).toEqual([200, []])
})

test('the owner finds a notice, due within a working day, and records what they make of it once', async () => {
  now = Date.UTC(2026, 6, 10, 17)
  const { body: opened } = await breakGlass(clinician, records.client)
  // Friday's is due by the end of Monday.
  expect(opened.review_due_at).toBe('2026-07-13T23:59:59.000Z')
  const owner = await kit.person(['owner'])
  const open = async () => (await owner.call('GET', '/break-glass?review=open')).body.data as { id: string }[]
  expect(await open()).toContainEqual(expect.objectContaining({ id: opened.id, person_id: clinician.id, reason: opened.reason }))
  const path = `/break-glass/${opened.id}/review`
  expect((await clinician.call('POST', path, { outcome: 'justified' })).status).toBe(403)
  const reviewed = await owner.call('POST', path, { outcome: 'justified', comment: 'Rightly so.' })
  expect(reviewed.body.review).toMatchObject({ outcome: 'justified', by: owner.id })
  expect((await owner.call('POST', path, { outcome: 'not_justified' })).status).toBe(409)
  expect((await open()).map(({ id }) => id)).not.toContain(opened.id)
})

test('an auditor sees that it was, by whom and for whom, and not what was written; others see their own', async () => {
  await breakGlass(clinician, records.client)
  const seen = await (await kit.person(['auditor'])).call('GET', '/break-glass?limit=200')
  expect(seen.body.data).toContainEqual(
    expect.objectContaining({ client_id: records.client, person_id: clinician.id, reason: null }),
  )
  expect(seen.text).not.toContain('emergency room')
  expect((await clinician.call('GET', '/break-glass')).body.data).toHaveLength(1)
  expect((await (await kit.person(['clinician'])).call('GET', '/break-glass')).body.data).toEqual([])
})

test('is for those who treat; needs a reason; another practice’s client is not there', async () => {
  expect((await breakGlass(await kit.person(['front_desk']), records.client)).status).toBe(403)
  const hasty = { client_id: records.client, reason: 'now', purpose: 'ETREAT' }
  expect((await clinician.call('POST', '/break-glass', hasty)).status).toBe(422)
  expect((await breakGlass(await kit.person(['clinician'], { practice: kit.elsewhere }), records.client)).status).toBe(404)
})

test('the audit says what it was for and whom it touched', async () => {
  await breakGlass(clinician, records.client)
  await read(clinician, records.note, emergency)
  const rows = await kit.ask<{ event: string }>('select event from audit_events order by seq desc limit 2')
  const [looked, broke] = rows.map(({ event }) => JSON.parse(event) as Record<string, unknown>)
  expect(looked).toMatchObject({ operation: 'getNote', purpose: 'ETREAT', entities: [records.note], outcome: '200' })
  expect(broke).toMatchObject({ operation: 'breakGlass', entities: expect.arrayContaining([records.client]), outcome: '201' })
  expect(JSON.stringify(rows)).not.toContain('emergency room')
})

test('what comes of long work in an emergency is audited with its purpose, and read with it', async () => {
  await breakGlass(clinician, records.client)
  const asked = { transcript_id: records.transcript }
  const started = await clinician.call('POST', '/ai/analyze', asked, { ...emergency, Prefer: 'respond-async' })
  expect(started.status).toBe(202)
  const look = () => clinician.call('GET', `/operations/${started.body.id}`, undefined, emergency)
  let state = await look()
  while (['queued', 'running'].includes(String(state.body['status']))) state = await look()
  expect(state.body).toMatchObject({ status: 'succeeded', result: { session_id: records.session } })
  expect((await clinician.call('GET', `/operations/${started.body.id}`)).status).toBe(403)
  const rows = await kit.ask<{ event: string }>('select event from audit_events order by seq desc limit 200')
  const events = rows.map(({ event }) => JSON.parse(event) as { operation: string; outcome: string; entities: string[] })
  const ended = events.find(({ outcome, entities }) => outcome === 'succeeded' && entities.includes(started.body.id))
  expect(ended).toMatchObject({ operation: 'analyze', purpose: 'ETREAT' })
})
