import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { Answer, AuthorityKit, Person } from './authority-kit.ts'

let kit: AuthorityKit
let here: Person
let there: Person
let client: string
beforeAll(async () => {
  kit = await openAuthorityKit()
  here = await kit.person(['owner', 'clinician'])
  there = await kit.person(['owner', 'clinician'], { practice: kit.elsewhere })
  client = (await here.call('POST', '/clients', { display_name: 'A' })).body.id
})
afterAll(() => kit.close())

const engine = { name: 'import', version: '1', model: null }
const nothing = { sections: [], unsupported: [], omissions: [], checks: [] }
const emptyNote = { session_id: null, template: 'soap', ...nothing, engine }
const puts: readonly (readonly [string, (client: string | null) => object])[] = [
  ['/rooms', () => ({ name: 'Blue', capacity: 2 })],
  ['/transcripts', () => ({ session_id: null, language: null, duration_ms: null, speakers: [], segments: [], engine })],
  ['/notes', (client_id) => ({ ...emptyNote, client_id })],
  ['/payers', () => ({ payer_id: newId(), name: newId() })],
  ['/psychotherapy-notes', (client_id) => ({ client_id, text: 'mine alone' })],
]
const posts: readonly (readonly [string, object])[] = [
  ['/clients', { display_name: 'B' }],
  ['/staff', { name: 'C', roles: ['clinician'] }],
]

const told = ({ status, body }: Answer) => [status, body.code]

test.each(puts)('%s: an address that another practice has is none here', async (path, body) => {
  const id = newId()
  const theirs = (await there.call('POST', '/clients', { display_name: 'A' })).body.id
  const first = await there.call('PUT', `${path}/${id}`, body(theirs))
  expect(told(first)).toEqual([201, undefined])
  expect(told(await here.call('PUT', `${path}/${id}`, body(client)))).toEqual([404, 'not-found'])
  expect((await there.call('GET', `${path}/${id}`)).status).toBe(200)
})

test.each(posts)('%s: an id that another practice has is taken, and nothing is said of whose it is', async (path, body) => {
  const id = newId()
  expect((await there.call('POST', path, { ...body, id })).status).toBe(201)
  const answer = await here.call('POST', path, { ...body, id })
  expect(told(answer)).toEqual([409, 'already-exists'])
  expect(answer.text).not.toContain(kit.elsewhere)
})
