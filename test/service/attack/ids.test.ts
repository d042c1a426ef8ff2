import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { openAuthorityKit } from '../access/authority-kit.ts'
import type { AuthorityKit, Person } from '../access/authority-kit.ts'
import { recipes } from '../access/recipes.ts'
import { insertRecords } from '../access/records-of-a-client.ts'
import type { RecordsOfClient } from '../access/records-of-a-client.ts'
import { type OperationId, routes } from '#contract/rest/routes.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Note } from '#contract/model/note.ts'
import { getNote } from '#service/store/notes.ts'
import { sessionOgg } from '../service-kit.ts'

let kit: AuthorityKit
let person: Person
beforeAll(async () => {
  kit = await openAuthorityKit()
  person = await kit.person(['owner', 'clinician', 'supervisor', 'front_desk', 'biller'])
})
afterAll(() => kit.close())

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const shout = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll(uuid, (id) => id.toUpperCase())) as Value

/** Hashes of what is signed cover its ids as they are kept. */
const signs: readonly string[] = ['signNote', 'addAddendum', 'cosignNote'] satisfies OperationId[]
const asked = Object.entries(recipes).filter(([operation]) => !signs.includes(operation)) as [
  OperationId,
  (
    of: RecordsOfClient,
    note: Note,
  ) => { params?: Record<string, string>; body?: unknown; headers?: Record<string, string>; allowed: number; own?: 'forbidden' },
][]

async function recordsOfOne() {
  return kit.write(kit.practice, async (write) => {
    const records = await insertRecords(write, kit.practice, person.id)
    return { records, note: await getNote(write, kit.practice, records.toSign) }
  })
}

test.each(asked)('%s takes ids in capitals as it takes them in small letters', async (operation, recipe) => {
  const { records, note } = await recordsOfOne()
  const route: Route = routes[operation]
  const { params = {}, body, headers, allowed, own } = recipe(records, note)
  const path = Object.entries(params).reduce((at, [name, id]) => at.replace(`{${name}}`, id.toUpperCase()), route.path)
  const answer = await person.call(route.method, path, body === undefined ? undefined : shout(body), headers)
  expect(answer.status).toBe(own === 'forbidden' ? 403 : allowed)
  expect(answer.text).not.toMatch(/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}(?<=.*[A-F].*)/)
})

test('a query takes them too', async () => {
  const { records } = await recordsOfOne()
  const found = await person.call('GET', `/sessions?client_id=${records.client.toUpperCase()}`)
  expect(found.body.data.map(({ id }) => id)).toContain(records.session)
})

test('an id that a client chose in capitals names the record in small letters from then on', async () => {
  const id = newId()
  const made = await person.call('POST', '/clients', { id: id.toUpperCase(), display_name: 'Ana' })
  expect([made.status, made.body.id]).toEqual([201, id])
  for (const form of [id, id.toUpperCase()]) expect((await person.call('GET', `/clients/${form}`)).body.id).toBe(id)
  const again = await person.call('POST', '/clients', { id, display_name: 'Ana' })
  expect(again.status).toBe(409)
})

test('an upload too, begun, sent and asked about', async () => {
  const id = newId()
  const bytes = sessionOgg
  const tus = { 'Tus-Resumable': '1.0.0' }
  const metadata = `id ${Buffer.from(id.toUpperCase()).toString('base64')},filetype ${Buffer.from('audio/ogg').toString('base64')}`
  const begun = await person.call('POST', '/uploads', undefined, {
    ...tus,
    'Upload-Length': String(bytes.length),
    'Upload-Metadata': metadata,
  })
  expect([begun.status, begun.headers.get('location')]).toEqual([201, expect.stringContaining(id)])
  const sent = await person.call('PATCH', `/uploads/${id.toUpperCase()}`, bytes, {
    ...tus,
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': '0',
  })
  expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, String(bytes.length)])
})

test('the audit log names a record in one way, refusals included', async () => {
  const id = newId()
  expect((await person.call('GET', `/clients/${id.toUpperCase()}`)).status).toBe(404)
  expect((await person.call('GET', `/audit-events?limit=5`)).text).toContain(id)
})
