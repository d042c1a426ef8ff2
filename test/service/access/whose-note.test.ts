import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { canonicalAddendum, canonicalNote } from '#domain/canonical-note.ts'
import type { Note } from '#contract/model/note.ts'
import { getNote } from '#service/store/notes.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { AuthorityKit, Person } from './authority-kit.ts'
import { insertRecords } from './records-of-a-client.ts'
import type { RecordsOfClient } from './records-of-a-client.ts'

let kit: AuthorityKit
let owner: Person
let supervisor: Person
let trainee: Person
let colleague: Person
/** The trainee's. */
let records: RecordsOfClient
beforeAll(async () => {
  kit = await openAuthorityKit()
  owner = await kit.person(['owner'])
  supervisor = await kit.person(['supervisor'])
  trainee = await kit.person(['clinician'], { supervisor: supervisor.id })
})
afterAll(() => kit.close())
beforeEach(async () => {
  colleague = await kit.person(['clinician'])
  records = await kit.write(kit.practice, (write) => insertRecords(write, kit.practice, trainee.id))
})

const at = '2026-02-01T00:00:00.000Z'
const changing = { 'If-Match': '*' }
const emergency = { 'Purpose-Of-Use': 'ETREAT' }
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const wrong = { by: 'Me', reason: 'Of somebody else' }

const share = (person: Person) =>
  owner.call('PATCH', `/staff/${person.id}`, { shared_clients: [records.client] }, { 'If-Match': '*' })
const open = (person: Person) =>
  person.call('POST', '/break-glass', { client_id: records.client, reason: 'Called from the emergency room', purpose: 'ETREAT' })
const noteOf = (id: string): Promise<Note> => kit.write(kit.practice, (write) => getNote(write, kit.practice, id))
async function signature(id: string) {
  return { by: 'Me', credential: null, at, method: 'click', content_hash: sha256(canonicalNote(await noteOf(id))) }
}
const sign = async (person: Person, id: string, headers = {}) =>
  person.call('POST', `/notes/${id}/sign`, await signature(id), { ...changing, ...headers })
const mark = (person: Person, id: string, headers = {}) =>
  person.call('POST', `/notes/${id}/entered-in-error`, wrong, { ...changing, ...headers })
function amend(person: Person, id: string, headers = {}) {
  const said = { id: newId(), text: 'more', reason: 'more', by: 'Me', at }
  const previous = '0'.repeat(64)
  return person.call(
    'POST',
    `/notes/${id}/addenda`,
    { ...said, content_hash: sha256(canonicalAddendum(said, previous)) },
    headers,
  )
}

describe('a client of somebody else', () => {
  test('is opened in an emergency to be read, and nothing is written there', async () => {
    await open(colleague)
    expect((await colleague.call('GET', `/notes/${records.toSign}`, undefined, emergency)).status).toBe(200)
    const path = `/clients/${records.client}`
    const written = [
      await sign(colleague, records.toSign, emergency),
      await mark(colleague, records.signed, emergency),
      await amend(colleague, records.signed, emergency),
      await colleague.call('PATCH', path, { clinician_id: colleague.id }, { ...changing, ...emergency }),
      await colleague.call('PATCH', `/sessions/${records.session}`, { modality: 'video' }, { ...changing, ...emergency }),
    ]
    expect(written.map(({ status }) => status)).toEqual(Array(5).fill(404))
  })
  test('who is shared is not taken over, by whomever they are shared with', async () => {
    await share(colleague)
    const take = (person: Person, clinician_id: string) =>
      person.call('PATCH', `/clients/${records.client}`, { clinician_id }, changing)
    expect((await take(colleague, colleague.id)).status).toBe(403)
    expect((await colleague.call('PATCH', `/clients/${records.client}`, { phone: '1' }, changing)).status).toBe(200)
    expect((await take(await kit.person(['front_desk']), colleague.id)).status).toBe(200)
  })
  test('has notes that are not signed, amended or marked by whomever the client is shared with', async () => {
    await share(colleague)
    const asked = [
      await sign(colleague, records.toSign),
      await amend(colleague, records.signed),
      await mark(colleague, records.signed),
    ]
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await sign(trainee, records.toSign)).body).toMatchObject({ status: 'awaiting_cosign', signed_by: trainee.id })
    expect((await mark(trainee, records.signed)).status).toBe(200)
  })
})

test('whoever wrote a note of a shared client signs it, and it is theirs', async () => {
  await share(colleague)
  const draft = await colleague.call('POST', '/notes/generate', {
    session_type: 'individual',
    duration_minutes: 50,
    presenting_concerns: [],
    interventions: [],
    client_response: '',
    client_id: records.client,
  })
  expect((await sign(colleague, draft.body.id)).body).toMatchObject({ status: 'signed', signed_by: colleague.id })
})

test('a note is cosigned by who supervises its signer, not by a supervisor with whom the client is shared', async () => {
  await sign(trainee, records.toSign)
  const other = await kit.person(['supervisor'])
  await share(other)
  const path = `/notes/${records.toSign}/cosign`
  expect((await other.call('POST', path, await signature(records.toSign), changing)).status).toBe(403)
  const done = await supervisor.call('POST', path, await signature(records.toSign), changing)
  expect(done.body).toMatchObject({ status: 'cosigned', signed_by: trainee.id, cosigned_by: supervisor.id })
})
