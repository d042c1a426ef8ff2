import { expect, onTestFinished, test } from 'vitest'
import type { Statement } from '#contract/model/note.ts'
import { type Step, startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { openedProfile, reopened, taken } from './compare-kit.ts'
import { clientWithSession, dialogue, type OpenCore } from './core-kit.ts'
import { looked } from './looked.ts'
import { everything, recordLoud, sessionThere, setUpTen, type TenKit } from './ten-kit.ts'

const heard = {
  status: 200,
  body: JSON.stringify({
    task: 'transcribe',
    language: 'english',
    duration: 2,
    text: 'I could not sleep.',
    segments: [
      { id: 0, start: 1, end: 2, text: ' I could not sleep.', avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 },
    ],
  }),
}

interface Lost {
  readonly call: string
  readonly ask: () => Promise<unknown>
  /** What the service offers when the app is opened again. */
  readonly later: readonly string[] | null
}

const ownWords: Statement = {
  id: '0198f000-0000-7000-8000-000000000001',
  text: 'Written by hand.',
  evidence: [],
  support: 'clinician_entered',
  origin: 'person',
  finding: null,
  safety: false,
  confirmed_at: '2026-01-01T00:00:00Z',
}

/** The answer to a call is lost, the app is closed, and the service offers something else when it is opened again. */
async function losesAnswer({ open, service, network, start }: TenKit, { call, ask, later }: Lost): Promise<OpenCore> {
  service.answerOnce(call, 'cut after')
  await ask()
  await open.until(() => service.asked.includes(call))
  network.isUp = false
  await open.core.close()
  service.offer(later)
  network.isUp = true
  const again = await start()
  await again.settled()
  return again
}

/** A recording of two seconds, and a service with an engine that hears so. */
async function recorded(capabilities: readonly string[] | null, steps: readonly Step[]) {
  const speech = await startScriptedSpeech(steps)
  onTestFinished(() => speech.close())
  const engine = { engine: 'server', address: speech.address, model: null, key: null, language: 'en' } as const
  const kit = await setUpTen({ capabilities, service: { speech: () => engine } })
  const { session } = await sessionThere(kit)
  await recordLoud(kit, kit.open, session.id, 2)
  return { kit, open: kit.open, speech, session }
}

const changes = [
  ['basic', 'full', null, everything],
  ['full', 'basic', everything, null],
] as const

for (const [before, after, first, later] of changes) {
  test(`a draft whose answer was lost is written once, also where a ${before} service is a ${after} one since`, async () => {
    const kit = await setUpTen({ capabilities: first })
    const { open, service } = kit
    const { session } = await sessionThere(kit)
    const content = new TextEncoder().encode(dialogue)
    await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
    await open.settled()
    const ask = () => open.call('notes.draft', { session_id: session.id, template: 'soap' })
    const again = await losesAnswer(kit, { call: 'POST /ai/generate-note', ask, later })
    const { note, work } = await again.call('notes.get', { session_id: session.id })
    expect(work).toMatchObject({ state: 'idle', error: null })
    expect(await again.call('outbox.list', {})).toEqual([])
    const notes = (await service.inside.call('listNotes', { query: { session_id: session.id } })).data.data
    expect(notes.map(({ id }) => id)).toEqual([note?.id])
  })

  test(`a recording whose answer was lost is heard once, also where a ${before} service is a ${after} one since`, async () => {
    const { kit, open, speech, session } = await recorded(first, [heard, heard])
    const ask = () => open.call('transcripts.request', { session_id: session.id })
    const again = await losesAnswer(kit, { call: 'POST /ai/transcribe', ask, later })
    const { transcript, work } = await again.call('transcripts.get', { session_id: session.id })
    expect(work).toMatchObject({ state: 'idle', error: null })
    expect(transcript?.segments.map(({ text }) => text)).toEqual(['I could not sleep.'])
    expect(await again.call('outbox.list', {})).toEqual([])
    expect(speech.requests).toHaveLength(1)
  })
}

test('a draft is written once, also where the records were put back to before it was sent and the session was changed since', async () => {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  const { session } = await clientWithSession(opened, 'Put Back')
  await opened.settled()
  await opened.call('outbox.pause', { paused: true })
  await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
  const unsent = taken(kit, 'vault.db')
  await opened.call('outbox.pause', { paused: false })
  await opened.settled()
  const get = async () => (await opened.call('notes.get', { session_id: session.id })).note!
  const draft = await get()
  const sections = looked(draft).sections.map((section) => ({ ...section, statements: [...section.statements, ownWords] }))
  await opened.call('notes.save', { id: draft.id, version: draft.version, sections, omissions: [] })
  const { version } = (await opened.call('sessions.get', { id: session.id })).session
  await opened.call('sessions.update', { id: session.id, version, patch: { presenting_concerns: ['Sleep'] } })
  await opened.settled()
  const before = await get()
  await opened.core.close()
  unsent.putBack()
  opened = await kit.open()
  await opened.call('outbox.pause', { paused: false })
  await opened.settled()
  const { note, work } = await opened.call('notes.get', { session_id: session.id })
  expect(note).toMatchObject({ id: draft.id, sections: before.sections })
  expect(work).toEqual({ state: 'idle', progress: 0, error: null })
  expect(await opened.call('outbox.list', {})).toEqual([])
  await opened.core.close()
})
