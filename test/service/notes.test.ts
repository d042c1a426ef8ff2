import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { canonicalAddendum, canonicalJson, canonicalNote } from '#domain/canonical-note.ts'
import type { Note, NoteBody, Statement } from '#contract/model/note.ts'
import { aClient, anId, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
beforeEach(async () => {
  kit = await openKit()
})
afterEach(() => kit.close())

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const code = (expected: string) => expect.objectContaining({ code: expected })

function statement(more: Partial<Statement> = {}): Statement {
  const evidence = [{ segment_id: 's1', start_ms: null, end_ms: null, quote: 'I slept badly.', quote_sha256: null }]
  return {
    id: 'a',
    text: 'Reports poor sleep.',
    evidence,
    support: 'paraphrase',
    origin: 'rules',
    finding: null,
    safety: false,
    confirmed_at: null,
    ...more,
  }
}

async function aDraft(...statements: Statement[]): Promise<Note> {
  const client = await aClient(kit.client)
  const session = await aSession(kit.client, client.id)
  const body: NoteBody = {
    session_id: session.id,
    client_id: client.id,
    template: 'soap',
    sections: [{ key: 's', title: 'Subjective', statements }],
    unsupported: [],
    omissions: [],
    checks: [],
    engine: { name: 'rules', version: '1', model: null },
  }
  return (await kit.client.call('putNote', { params: { id: anId() }, body })).data
}

function sign(note: Note, content_hash = sha256(canonicalNote(note)), ifMatch = note.version) {
  const body = { by: 'Dr. M. Weber', credential: 'LPC', at: '2026-03-01T10:00:00Z', method: 'click' as const, content_hash }
  return kit.client.call('signNote', { params: { id: note.id }, body, ifMatch })
}

function amend(note: Note, previous: string, id = anId()) {
  const said = { id, text: 'He called later.', reason: 'Forgotten', by: 'Dr. M. Weber', at: '2026-03-02T10:00:00Z' }
  const body = { ...said, content_hash: sha256(canonicalAddendum(said, previous)) }
  return kit.client.call('addAddendum', { params: { id: note.id }, body })
}

describe('a draft', () => {
  test('is stored under the id its author chose, changed by version, listed by session and client', async () => {
    const note = await aDraft(statement())
    expect(note).toMatchObject({ status: 'draft', version: 1, signature: null, addenda: [] })
    const body = { ...note, sections: [] }
    await expect(kit.client.call('putNote', { params: { id: note.id }, body })).rejects.toEqual(code('version-required'))
    const changed = await kit.client.call('putNote', { params: { id: note.id }, body, ifMatch: 1 })
    expect(changed).toMatchObject({ status: 200, etag: '"2"', data: { sections: [], version: 2 } })
    await expect(kit.client.call('putNote', { params: { id: note.id }, body, ifMatch: 1 })).rejects.toEqual(code('stale-version'))
    for (const query of [{ session_id: note.session_id! }, { client_id: note.client_id! }]) {
      expect((await kit.client.call('listNotes', { query })).data.data).toEqual([changed.data])
    }
    expect((await kit.client.call('listNotes', { query: { client_id: anId() } })).data.data).toEqual([])
  })
  test('is of a session and client that are there', async () => {
    const body = { ...(await aDraft()), session_id: anId() }
    await expect(kit.client.call('putNote', { params: { id: anId() }, body })).rejects.toEqual(code('not-found'))
  })
})

describe('signing', () => {
  test('needs the hash of exactly the text kept here', async () => {
    const note = await aDraft(statement())
    await expect(sign(note, sha256('something else'))).rejects.toEqual(code('conflict'))
    const signed = (await sign(note)).data
    expect(signed).toMatchObject({ status: 'signed', version: 2, signature: { by: 'Dr. M. Weber' } })
    expect(sha256(canonicalNote(signed))).toBe(signed.signature?.content_hash)
  })
  test('needs the version that was looked at', async () => {
    const note = await aDraft(statement())
    await expect(sign(note, undefined, 7)).rejects.toEqual(code('stale-version'))
  })
  test('waits for each safety statement to be confirmed', async () => {
    const open = await aDraft(statement(), statement({ id: 'b', safety: true }))
    await expect(sign(open)).rejects.toEqual(code('not-ready-to-sign'))
    await expect(sign(open)).rejects.toMatchObject({
      fields: [{ pointer: '/sections/0/statements/1', code: 'not_confirmed' }],
    })
    const confirmed = await aDraft(statement({ safety: true, confirmed_at: '2026-03-01T09:59:00Z' }))
    expect((await sign(confirmed)).status).toBe(200)
  })
  test('is for ever: a signed note is not changed and not signed again', async () => {
    const signed = (await sign(await aDraft(statement()))).data
    await expect(kit.client.call('putNote', { params: { id: signed.id }, body: signed, ifMatch: 2 })).rejects.toEqual(
      code('already-signed'),
    )
    await expect(sign(signed)).rejects.toEqual(code('already-signed'))
    expect((await kit.client.call('getNote', { params: { id: signed.id } })).data).toEqual(signed)
  })
})

describe('addenda', () => {
  test('follow one on another by hash and leave the text as it was', async () => {
    const signed = (await sign(await aDraft(statement()))).data
    const first = (await amend(signed, signed.signature!.content_hash)).data
    expect(first).toMatchObject({ status: 'amended', sections: signed.sections, signature: signed.signature })
    await expect(amend(first, signed.signature!.content_hash)).rejects.toEqual(code('conflict'))
    const second = (await amend(first, first.addenda[0]!.content_hash)).data
    expect(second.addenda).toHaveLength(2)
    await expect(amend(second, second.addenda[1]!.content_hash, first.addenda[0]!.id)).rejects.toEqual(code('already-exists'))
  })
  test('are for signed notes alone', async () => {
    const draft = await aDraft(statement())
    await expect(amend(draft, sha256(''))).rejects.toEqual(code('conflict'))
  })
})

test('the canonical form is RFC 8785’s', () => {
  expect(canonicalJson({ b: [1, 0.5, 1e21, -0], a: 'é\n"', '\u{10437}': null, '￿': true, c: undefined })).toBe(
    '{"a":"é\\n\\"","b":[1,0.5,1e+21,0],"c":undefined}'.replace(',"c":undefined', ',"\u{10437}":null,"￿":true'),
  )
})
