import { expect, onTestFinished, test } from 'vitest'
import { isPlaceholder, ownStatement } from '#domain/note-review.ts'
import { type ChatStep, startScriptedChat } from '#test/support/chat-server-scripted.ts'
import { clientWithSession, coreKit, createProfile, type OpenCore } from './core-kit.ts'
import { looked } from './looked.ts'

const said = `Therapist: How was the week?
Client: I slept badly, maybe three hours a night.
Therapist: Please write a sleep diary until next Thursday.
Client: I will write it every morning.`

const answer = JSON.stringify({
  sections: [
    {
      key: 'subjective',
      statements: [
        {
          text: 'Client sleeps three hours a night.',
          finding: 'stated',
          evidence: [{ segment: 2, quote: 'maybe three hours a night' }],
        },
      ],
    },
    {
      key: 'plan',
      statements: [
        {
          text: 'Client writes a sleep diary every morning.',
          finding: 'none',
          evidence: [
            { segment: 4, quote: 'write it every morning' },
            { segment: 3, quote: 'write a sleep diary' },
          ],
        },
      ],
    },
  ],
})

async function setUp(steps: readonly ChatStep[]) {
  const chat = await startScriptedChat(steps)
  const kit = coreKit()
  const open = await kit.open({ fetch: globalThis.fetch })
  onTestFinished(async () => {
    await open.core.close()
    await chat.close()
    kit.remove()
  })
  await createProfile(open)
  await open.call('settings.update', { language_address: chat.address, language_model: 'tiny' })
  const { session } = await clientWithSession(open)
  const content = new TextEncoder().encode(said)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  const input = { session_id: session.id, template: 'soap' } as const
  const look = () => open.call('notes.get', { session_id: session.id })
  return { kit, chat, open, session, input, look }
}
const byServer = (open: OpenCore) => open.call('settings.update', { language_engine: 'server', language_context_tokens: 16_384 })

test('the writer of the settings writes the draft, and what it was is in the note', async () => {
  const { chat, open, input, look } = await setUp([{ say: answer }])
  await open.call('notes.draft', input)
  await open.settled()
  expect((await look()).note!.engine).toMatchObject({ name: 'rules', model: null })
  expect(chat.paths).toEqual([])
  await byServer(open)
  await open.call('notes.draft', input)
  await open.settled()
  const { note, work } = await look()
  expect(note!.engine).toMatchObject({ name: 'openai-compatible', model: 'tiny' })
  expect(note!.sections[0]!.statements[0]).toMatchObject({ text: 'Client sleeps three hours a night.', origin: 'model' })
  expect(work).toEqual({ state: 'idle', progress: 0, error: null })
})

test('a session with an unsigned note is left to do, as on the page of its client, though nobody ended the session', async () => {
  const { open, session, input } = await setUp([])
  const unfinished = async () => (await open.call('sessions.unfinished', { limit: 100 })).rows.map((row) => row.session.id)
  await open.call('notes.draft', input)
  await open.settled()
  const { version } = (await open.call('sessions.get', { id: session.id })).session
  await open.call('sessions.update', { id: session.id, version, patch: { status: 'in_progress' } })
  expect((await open.call('clients.get', { id: session.client_id })).unsigned_notes).toBe(1)
  expect(await unfinished()).toEqual([session.id])
})

test('a draft older than its transcript says so, until it is kept, and a new one says so if it was asked for before', async () => {
  const { chat, open, session, input, look } = await setUp([{ say: answer, pieces: 4, pause: true }])
  const correct = async (label: string) => {
    const { transcript } = await open.call('transcripts.get', { session_id: session.id })
    const { version, speakers, segments } = transcript!
    const named = speakers.map((speaker, at) => (at === 0 ? { ...speaker, label } : speaker))
    await open.call('transcripts.save', { session_id: session.id, version, speakers: named, segments })
  }
  const isOutdated = async () => (await look()).is_outdated
  await open.call('notes.draft', input)
  await open.settled()
  expect(await isOutdated()).toBe(false)
  await correct('Dr. Ana Ruiz')
  expect(await isOutdated()).toBe(true)
  await open.call('notes.keepDraft', { session_id: session.id })
  expect(await isOutdated()).toBe(false)
  await correct('Dr. Ruiz')
  expect(await isOutdated()).toBe(true)
  await open.call('notes.draft', input)
  await open.settled()
  expect(await isOutdated()).toBe(false)
  await byServer(open)
  await open.call('notes.draft', input)
  await chat.arrived(1)
  await correct('Ana Ruiz')
  chat.letGo()
  await open.until(async () => (await look()).note?.engine.name === 'openai-compatible')
  expect(await isOutdated()).toBe(true)
})

test('a placeholder beside statements is not signed, here or at the service', async () => {
  const { open, session, input, look } = await setUp([])
  await open.call('notes.draft', input)
  await open.settled()
  const draft = (await look()).note!
  const { sections, omissions } = looked(draft)
  const text = 'Not stated in session.'
  const placeholder = { ...ownStatement('empty', text), support: 'paraphrase' as const, origin: 'rules' as const }
  const both = sections.map((section) => {
    const isEmpty = section.statements.every(isPlaceholder)
    return isEmpty ? section : { ...section, statements: [placeholder, ...section.statements] }
  })
  expect(both.filter((section, at) => section !== sections[at])).not.toEqual([])
  const { version } = await open.call('notes.save', { id: draft.id, version: draft.version, sections: both, omissions })
  const signed = await open.call('notes.sign', { id: draft.id, version })
  expect(signed.sections).toEqual(sections)
  expect(await open.call('notes.verify', { id: draft.id })).toEqual({ intact: true })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect((await open.call('sessions.get', { id: session.id })).note?.status).toBe('signed')
})

test('a draft being written tells how far it is; stopped, the one before stays as it was', async () => {
  const { kit, chat, open, session, input, look } = await setUp([{ say: answer, pieces: 60, pause: true }])
  await open.call('notes.draft', input)
  await open.settled()
  const before = (await look()).note!
  await byServer(open)
  await open.call('notes.draft', input)
  const shares = () =>
    kit.events.flatMap(({ name, payload }) => (name === 'work.progress' ? [(payload as { progress: number }).progress] : []))
  await open.until(() => shares().some((share) => share > 0 && share < 1))
  expect((await look()).work.state).toBe('running')
  expect(await open.call('notes.cancelDraft', { session_id: session.id })).toMatchObject({ state: 'idle', error: 'cancelled' })
  await chat.aborted(1)
  await open.settled()
  expect((await look()).note).toEqual(before)
  expect(await open.call('outbox.list', {})).toEqual([])
})

test('a refusal is told, nothing takes over by itself, and a draft without AI is one call away', async () => {
  const { chat, open, input, look } = await setUp([{ say: '', finish: 'content_filter' }])
  await byServer(open)
  await open.call('notes.draft', input)
  await open.settled()
  expect(await look()).toMatchObject({ note: null, work: { state: 'failed', error: 'engine-refused' } })
  await open.call('notes.draft', { ...input, without_ai: true })
  await open.settled()
  expect(await look()).toMatchObject({ note: { engine: { name: 'rules' } }, work: { state: 'idle', error: null } })
  expect(chat.requests).toHaveLength(1)
})

test('a writer that is not ready is waited for, and goes on by itself once it is', async () => {
  const { chat, open, input, look } = await setUp([{ say: answer }])
  await open.call('settings.update', { language_engine: 'server', language_address: null })
  await open.call('notes.draft', input)
  await open.until(async () => (await look()).work.error === 'engine-not-ready')
  expect((await look()).note).toBeNull()
  await open.call('settings.update', { language_address: chat.address })
  await open.settled()
  expect((await look()).note!.engine).toMatchObject({ name: 'openai-compatible' })
})
