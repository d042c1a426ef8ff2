import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import { canonicalAddendum, canonicalNote } from '#domain/canonical-note.ts'
import type { Note } from '#contract/model/note.ts'
import type { ServiceKit } from '../service-kit.ts'
import { aClient, anId, openKit } from '../service-kit.ts'

let kit: ServiceKit
let trainee: ServiceClient
let supervisor: ServiceClient
let stranger: ServiceClient
let owner: ServiceClient
let now = Date.now()

beforeAll(async () => {
  kit = await openKit({ caller: 'api-keys', plan: 'enterprise', clock: { now: () => now, elapsed: () => performance.now() } })
  owner = clientWith(kit.ownerKey!)
  const supervisorId = await hire(owner, 'Dr. M. Weber', ['supervisor'], null)
  supervisor = await keyFor(owner, supervisorId, ['supervisor'])
  stranger = await keyFor(owner, await hire(owner, 'Dr. O. Bright', ['supervisor'], null), ['supervisor'])
  trainee = await keyFor(owner, await hire(owner, 'Ines Moreau', ['clinician'], supervisorId), ['clinician'])
})
afterAll(() => kit.close())

const clientWith = (token: string): ServiceClient =>
  createServiceClient({ base_url: 'http://practice.invalid/v1', token, fetch: (request) => kit.handle(request) })

async function hire(owner: ServiceClient, name: string, roles: ('clinician' | 'supervisor')[], supervisor_id: string | null) {
  return (await owner.call('createStaff', { body: { name, roles, supervisor_id } })).data.id
}

async function keyFor(owner: ServiceClient, person_id: string, roles: ('clinician' | 'supervisor')[]): Promise<ServiceClient> {
  const { secret } = (await owner.call('createApiKey', { body: { name: 'Laptop', roles, person_id } })).data
  return clientWith(secret!)
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const signature = (note: Note, by: string) => ({
  by,
  credential: null,
  at: '2026-03-01T10:00:00Z',
  method: 'click' as const,
  content_hash: sha256(canonicalNote(note)),
})

async function aSignedNote(text: string): Promise<Note> {
  const client_id = (await aClient(trainee)).id
  const statement = { id: 'a', text, evidence: [], support: 'clinician_entered', origin: 'person' } as const
  const engine = { name: 'rules', version: '1', model: null }
  const sections = [{ key: 'plan', title: 'Plan', statements: [statement] }]
  const body = {
    session_id: null,
    client_id,
    template: 'soap',
    sections,
    unsupported: [],
    omissions: [],
    checks: [],
    engine,
  } as const
  const draft = (await trainee.call('putNote', { params: { id: anId() }, body: structuredClone(body) as never })).data
  return sign(draft)
}

async function sign(note: Note): Promise<Note> {
  const call = { params: { id: note.id }, body: signature(note, 'Ines Moreau'), ifMatch: note.version }
  return (await trainee.call('signNote', call)).data
}

const giveBack = (note: Note) => ({
  params: { id: note.id },
  body: { by: 'Dr. M. Weber', reason: 'Say what was agreed.' },
  ifMatch: note.version,
})

test('a supervisee’s signature is not the last: the note waits for the supervisor and is cosigned by nobody else', async () => {
  const note = await aSignedNote('Will write the worries down.')
  expect(note.status).toBe('awaiting_cosign')
  const cosigning = { params: { id: note.id }, body: signature(note, 'Dr. M. Weber'), ifMatch: note.version }
  await expect(trainee.call('cosignNote', cosigning)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(stranger.call('cosignNote', cosigning)).rejects.toMatchObject({ code: 'not-found' })
  const done = (await supervisor.call('cosignNote', cosigning)).data
  expect(done).toMatchObject({ status: 'cosigned', cosignature: { by: 'Dr. M. Weber' }, signature: note.signature })
})

test('what is cosigned is the text that was signed, word for word', async () => {
  const note = await aSignedNote('Will call on Tuesday.')
  const other = { ...signature(note, 'Dr. M. Weber'), content_hash: sha256('another text') }
  const cosigning = { params: { id: note.id }, body: other, ifMatch: note.version }
  await expect(supervisor.call('cosignNote', cosigning)).rejects.toMatchObject({ code: 'conflict' })
})

test('returned, no word of it changes, and the text that was signed stays beside what becomes of it', async () => {
  const note = await aSignedNote('Will come again.')
  const returned = (await supervisor.call('returnNote', giveBack(note))).data
  expect(returned).toMatchObject({ status: 'returned', sections: note.sections, reviews: [{ reason: 'Say what was agreed.' }] })
  const sections = structuredClone(note.sections)
  sections[0]!.statements[0]!.text = 'Will come again on 12 March at ten.'
  const body = { ...note, sections }
  const redrafted = (await trainee.call('putNote', { params: { id: note.id }, body, ifMatch: returned.version })).data
  const again = await sign(redrafted)
  expect(again.status).toBe('awaiting_cosign')
  const { data } = (await trainee.call('listNoteVersions', { params: { id: note.id } })).data
  expect(data.map((kept) => kept.note.sections[0]?.statements[0]?.text)).toEqual(['Will come again.'])
  expect(data[0]?.note.signature).toEqual(note.signature)
})

test('an addendum does not take the place of the supervisor’s signature', async () => {
  const note = await aSignedNote('Will rest.')
  const said = { id: anId(), text: 'Called later.', reason: 'Forgotten', by: 'Ines Moreau', at: '2026-03-02T10:00:00Z' }
  const body = { ...said, content_hash: sha256(canonicalAddendum(said, note.signature!.content_hash)) }
  expect((await trainee.call('addAddendum', { params: { id: note.id }, body })).data.status).toBe('awaiting_cosign')
})

test('a note entered in error keeps its text and says who said so', async () => {
  const note = await aSignedNote('Of somebody else.')
  const body = { by: 'Ines Moreau', reason: 'Wrong client' }
  const marked = (await trainee.call('enterInError', { params: { id: note.id }, body, ifMatch: note.version })).data
  expect(marked).toMatchObject({
    status: 'entered_in_error',
    sections: note.sections,
    entered_in_error: { reason: 'Wrong client' },
  })
  await expect(sign(marked)).rejects.toMatchObject({ code: 'already-signed' })
})

test('an erased note takes every text of it along that was kept beside it', async () => {
  const note = await aSignedNote('Words that have to go.')
  const returned = (await supervisor.call('returnNote', giveBack(note))).data
  await sign(returned)
  now += 8 * 366 * 24 * 60 * 60 * 1000
  await owner.call('eraseRecord', { body: { record_kind: 'note', record_id: note.id, reason: 'Seven years' } })
  const versions = await kit.handle(
    new Request(`http://practice.invalid/v1/notes/${note.id}/versions`, {
      headers: { Authorization: `Bearer ${kit.ownerKey}`, 'Purpose-Of-Use': 'HOPERAT' },
    }),
  )
  expect(versions.status).toBe(410)
  expect(await kit.ask("select * from note_versions where note_id = '" + note.id + "'")).toEqual([])
})
