import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canonicalNote } from '#domain/canonical-note.ts'
import type { Note, NoteBody } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { ServiceKit } from '../service-kit.ts'
import { aClient, aSession, anId, openKit } from '../service-kit.ts'

const day = 24 * 60 * 60 * 1000
const start = Date.parse('2026-03-01T09:00:00.000Z')
let now = start
let kit: ServiceKit
beforeEach(async () => {
  now = start
  kit = await openKit({ clock: { now: () => now, elapsed: () => now } })
})
afterEach(() => kit.close())

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const said = 'I slept three hours since Sunday.'

async function aSignedSession(
  signedAt = new Date(now).toISOString(),
): Promise<{ client: string; transcript: Transcript; note: Note }> {
  const client = (await aClient(kit.client)).id
  const session = (await aSession(kit.client, client)).id
  const transcript = await kit.client.call('putTranscript', {
    params: { id: anId() },
    body: {
      session_id: session,
      language: 'en',
      duration_ms: null,
      speakers: [{ id: 'c', label: 'Client', role: 'client' }],
      segments: [{ id: 's1', speaker_id: 'c', start_ms: null, end_ms: null, text: said, confidence: null }],
      engine: { name: 'typed', version: '1', model: null },
    } as never,
  })
  const evidence = [{ segment_id: 's1', start_ms: null, end_ms: null, quote: said, quote_sha256: null }]
  const statement = { id: 'a', text: 'Reports three hours of sleep.', evidence, support: 'paraphrase', origin: 'rules' } as const
  const body: NoteBody = {
    session_id: session,
    client_id: client,
    template: 'soap',
    sections: [
      {
        key: 'subjective',
        title: 'Subjective',
        statements: [{ ...statement, finding: null, safety: false, confirmed_at: null }],
      },
    ],
    unsupported: [],
    omissions: [],
    checks: [],
    engine: { name: 'rules', version: '1', model: null },
  } as never
  const draft = (await kit.client.call('putNote', { params: { id: anId() }, body })).data
  const signature = {
    by: 'Dr. M. Weber',
    credential: 'LPC',
    at: signedAt,
    method: 'click' as const,
    content_hash: sha256(canonicalNote(draft)),
  }
  const note = (await kit.client.call('signNote', { params: { id: draft.id }, body: signature, ifMatch: 1 })).data
  return { client, transcript: transcript.data, note }
}

async function keepFor(transcript_days: 0 | 1 | 7 | 30 | null): Promise<void> {
  const { version } = (await kit.client.call('getRetention', {})).data
  await kit.client.call('putRetention', { body: { transcript_days, note_years: 7 }, ifMatch: version })
}

const transcriptNow = (id: string) => kit.client.call('getTranscript', { params: { id } })

test('until its owner says otherwise a practice keeps every transcript', async () => {
  const { transcript } = await aSignedSession()
  now = start + 4000 * day
  expect(await kit.sweep()).toBe(0)
  expect((await transcriptNow(transcript.id)).data.segments[0]?.text).toBe(said)
})

test('a transcript goes when its days after signing have passed, and not a moment before', async () => {
  const { transcript, client } = await aSignedSession()
  await keepFor(7)
  now = start + 7 * day - 1
  expect(await kit.sweep()).toBe(0)
  now = start + 7 * day
  expect(await kit.sweep()).toBe(1)
  await expect(transcriptNow(transcript.id)).rejects.toMatchObject({ code: 'gone' })
  const certificates = (await kit.client.call('listErasures', {})).data.data
  expect(certificates).toMatchObject([
    { record_kind: 'transcript', record_id: transcript.id, client_id: client, erased_by: null },
  ])
  expect(certificates[0]?.content_sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('what the note quoted becomes a fingerprint; its words, signature and addenda stay', async () => {
  const { note } = await aSignedSession()
  await keepFor(0)
  await kit.sweep()
  const left = (await kit.client.call('getNote', { params: { id: note.id } })).data
  const [statement] = left.sections[0]!.statements
  expect(statement).toMatchObject({
    text: 'Reports three hours of sleep.',
    evidence: [{ quote: null, quote_sha256: sha256(said) }],
  })
  expect(left).toMatchObject({ status: 'signed', signature: note.signature })
  expect(left.redacted?.content_hash).toBe(sha256(canonicalNote(left)))
  expect(JSON.stringify(left)).not.toContain('since Sunday')
})

test('a note that is put once its source was erased quotes nothing of it, and can be signed as it was written', async () => {
  const { transcript, note } = await aSignedSession()
  const { id: _id, version: _version, ...written } = note
  const again = { ...written, session_id: transcript.session_id } as NoteBody
  await kit.client.call('eraseRecord', {
    body: { record_kind: 'transcript', record_id: transcript.id, reason: 'asked for' },
  })
  const put = async (body: NoteBody) => (await kit.client.call('putNote', { params: { id: anId() }, body })).data
  const [late, other] = [await put(again), await put(again)]
  expect(JSON.stringify([late, other])).not.toContain('since Sunday')
  expect(late.sections[0]!.statements[0]!.evidence[0]).toMatchObject({ quote: null, quote_sha256: sha256(said) })
  const sign = ({ id }: Note, content_hash: string) =>
    kit.client.call('signNote', { params: { id }, body: { ...note.signature!, content_hash }, ifMatch: 1 })
  const as = sha256(canonicalNote(note))
  const signed = (await sign(late, as)).data
  expect(signed).toMatchObject({ status: 'signed', signature: { content_hash: as } })
  expect(signed.redacted).toMatchObject({ content_hash: sha256(canonicalNote(signed)) })
  await expect(sign(other, sha256('another text'))).rejects.toMatchObject({ code: 'conflict' })
  // What is written since in it is not what was put then.
  const changed = { ...again, sections: other.sections, engine: { name: 'rules', version: '2', model: null } } as NoteBody
  const { data } = await kit.client.call('putNote', { params: { id: other.id }, body: changed, ifMatch: 1 })
  expect(data.redacted).toBeUndefined()
  await expect(
    kit.client.call('signNote', { params: { id: data.id }, body: { ...note.signature!, content_hash: as }, ifMatch: 2 }),
  ).rejects.toMatchObject({ code: 'conflict' })
})

test('nothing of a client under a legal hold is erased until it is released, whoever asks', async () => {
  const { client, transcript } = await aSignedSession()
  const hold = (await kit.client.call('placeLegalHold', { body: { client_id: client, reason: 'Subpoena' } })).data
  await keepFor(0)
  now = start + day
  expect(await kit.sweep()).toBe(0)
  const erasing = { body: { record_kind: 'transcript', record_id: transcript.id, reason: 'Asked for' } } as const
  await expect(kit.client.call('eraseRecord', erasing)).rejects.toMatchObject({ code: 'legal-hold' })
  await kit.client.call('releaseLegalHold', { params: { id: hold.id } })
  expect(await kit.sweep()).toBe(1)
})

test('a transcript stays while a note of its session is not signed', async () => {
  const { note, transcript } = await aSignedSession()
  const { session_id, client_id } = note
  await kit.client.call('putNote', { params: { id: anId() }, body: { ...note, id: undefined, session_id, client_id } as never })
  await keepFor(0)
  now = start + 400 * day
  expect(await kit.sweep()).toBe(0)
  expect((await transcriptNow(transcript.id)).status).toBe(200)
})

test('a signed note is erased only after its years, by a person, with a certificate', async () => {
  const { note } = await aSignedSession()
  const erasing = { body: { record_kind: 'note', record_id: note.id, reason: 'Seven years' } } as const
  await expect(kit.client.call('eraseRecord', erasing)).rejects.toMatchObject({ code: 'not-yet-due' })
  now = start + 8 * 366 * day
  const certificate = (await kit.client.call('eraseRecord', erasing)).data
  expect(certificate).toMatchObject({ record_kind: 'note', record_id: note.id, reason: 'Seven years' })
  await expect(kit.client.call('getNote', { params: { id: note.id } })).rejects.toMatchObject({ code: 'gone' })
})

test('a transcript does not leave its session, and with it a hold', async () => {
  const { transcript } = await aSignedSession()
  const moving = {
    params: { id: transcript.id },
    body: { ...transcript, session_id: null } as never,
    ifMatch: transcript.version,
  }
  await expect(kit.client.call('putTranscript', moving)).rejects.toMatchObject({ code: 'conflict' })
})

test('a note that names an early day of signing is kept its years from when it was written here', async () => {
  now = start - 9 * 366 * day
  const backdated = new Date(now).toISOString()
  now = start
  const { note } = await aSignedSession(backdated)
  const erasing = { body: { record_kind: 'note', record_id: note.id, reason: 'Old' } } as const
  await expect(kit.client.call('eraseRecord', erasing)).rejects.toMatchObject({ code: 'not-yet-due' })
})
