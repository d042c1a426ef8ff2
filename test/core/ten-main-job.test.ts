import { expect, onTestFinished, test } from 'vitest'
import { type ScriptedSpeech, type Step, startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { type Clock, waitInTime } from '#base/clock.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import { clientWithSession, dialogue } from './core-kit.ts'
import { looked } from './looked.ts'
import { everything, recordLoud, sessionThere, setUpTen, type TenKit } from './ten-kit.ts'

const heard = (text: string) => ({
  status: 200,
  body: JSON.stringify({
    task: 'transcribe',
    language: 'english',
    duration: 2,
    text,
    segments: [{ id: 0, start: 1, end: 2, text: ` ${text}`, avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 }],
  }),
})

/** A practice whose service has a speech engine that hears these words, one piece after the other. */
async function setUp(
  steps: readonly Step[],
  settings: Parameters<typeof setUpTen>[0] = {},
  ports: Parameters<typeof setUpTen>[1] = {},
): Promise<TenKit & { speech: ScriptedSpeech }> {
  const speech = await startScriptedSpeech(steps)
  onTestFinished(() => speech.close())
  const { address } = speech
  const engine = { engine: 'server', address, model: null, key: null, language: 'en' } as const
  const kit = await setUpTen({ ...settings, service: { speech: () => engine, ...settings.service } }, ports)
  return { ...kit, speech }
}

const soundOf = (kit: TenKit) => kit.service.bodies.filter(({ call }) => call === 'POST /ai/transcribe')

test('a long recording is sent in pieces cut at quiet moments, and what was heard is joined at the right times', async () => {
  const kit = await setUp([heard('I could not sleep.'), heard('I worry about the interview.')])
  const { open, service } = kit
  const { session } = await sessionThere(kit)
  await recordLoud(kit, open, session.id, 18)
  await open.call('transcripts.request', { session_id: session.id })
  await open.settled()
  const { transcript, work } = await open.call('transcripts.get', { session_id: session.id })
  expect(work).toMatchObject({ state: 'idle', error: null })
  const sent = soundOf(kit)
  expect(sent).toHaveLength(2)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  for (const { body } of sent) {
    const { audio, session_id } = body as { audio: { content: string }; session_id: string }
    expect(Buffer.from(audio.content, 'base64').length).toBeLessThan(700 * 1024)
    expect(session_id).toBe(session.id)
  }
  expect(transcript?.segments.map(({ text }) => text)).toEqual(['I could not sleep.', 'I worry about the interview.'])
  const starts = transcript!.segments.map(({ start_ms }) => start_ms! - 1000)
  expect(starts[0]).toBe(0)
  // Each piece begins within a quiet second.
  for (const start of starts.slice(1)) expect(start % 5000).toBeLessThan(1000)
  expect(transcript?.duration_ms).toBe(18_000)
  expect((await open.call('search.find', { q: 'interview' })).words).toHaveLength(1)
  expect(await open.call('outbox.list', {})).toEqual([])
  expect(
    service.asked.filter((call) => call.includes('upload') || call.includes('operation') || call.includes('transcripts')),
  ).toEqual([])
})

test('cut off and closed in the middle, only the piece at hand is sent again, and under the same key', async () => {
  const kit = await setUp([heard('One.'), heard('Two.')])
  const { open, service } = kit
  const { session } = await sessionThere(kit)
  await recordLoud(kit, open, session.id, 18)
  service.answerOnce('POST /ai/transcribe', 'cut after')
  await open.call('transcripts.request', { session_id: session.id })
  await open.until(() => soundOf(kit).length >= 2)
  await open.core.close()
  const before = soundOf(kit).length
  const again = await kit.start()
  await again.settled()
  const keys = soundOf(kit).map(({ key }) => key)
  expect(new Set(keys).size).toBe(2)
  expect(keys.length).toBeLessThanOrEqual(before + 2)
  const { transcript } = await again.call('transcripts.get', { session_id: session.id })
  expect(transcript?.segments.map(({ text }) => text)).toEqual(['One.', 'Two.'])
})

test('from what was said to a signed and exported note, with every source found in the transcript here', async () => {
  const kit = await setUp([heard('Nothing.')])
  const { open, service } = kit
  const { session } = await sessionThere(kit)
  const content = new TextEncoder().encode(dialogue)
  const transcript = await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  const { note, work } = await open.call('notes.get', { session_id: session.id })
  expect(work).toMatchObject({ state: 'idle', error: null })
  const evidence = note!.sections.flatMap(({ statements }) => statements.flatMap((statement) => statement.evidence))
  expect(evidence.length).toBeGreaterThan(3)
  for (const { segment_id, quote } of evidence)
    expect(transcript.segments.find(({ id }) => id === segment_id)?.text).toContain(quote)
  const doubts = note!.sections.flatMap(({ statements }) => statements.flatMap(({ doubt }) => doubt ?? []))
  expect(doubts).toEqual([])
  const checked = await open.call('notes.save', { id: note!.id, version: note!.version, ...looked(note!) })
  await open.call('notes.sign', { id: note!.id, version: checked.version })
  await open.call('notes.addAddendum', { id: note!.id, text: 'Start time corrected.', reason: 'Typing error' })
  const { url } = await open.call('exports.note', { id: note!.id, format: 'pdf' })
  expect((await open.core.media(new Request(`http://core${url}`))).status).toBe(200)

  await open.call('insights.request', { session_id: session.id })
  await open.settled()
  const { analysis } = await open.call('insights.get', { session_id: session.id })
  const quoted = [...analysis!.topics, ...analysis!.interventions].flatMap((item) => item.evidence)
  expect(quoted.length).toBeGreaterThan(0)
  for (const { segment_id, quote } of quoted)
    expect(transcript.segments.find(({ id }) => id === segment_id)?.text).toContain(quote)
  expect(await open.call('outbox.list', {})).toEqual([])
  const published = ['GET /', 'GET /clients', 'POST /sessions', 'POST /ai/generate-note', 'POST /ai/analyze']
  expect([...new Set(service.asked)].filter((call) => !published.includes(call))).toEqual([])
})

test('work whose answer was lost is done once, whatever it draws on was changed to since', async () => {
  const kit = await setUp([heard('I could not sleep.')])
  const { open, service, network } = kit
  const { session, client } = await sessionThere(kit)
  await recordLoud(kit, open, session.id, 2)
  /** Loses the answer; by the time it is asked for again there is another goal, and another word to expect. */
  const losing = async (call: string, ask: () => Promise<unknown>): Promise<void> => {
    service.answerOnce(call, 'cut after')
    await ask()
    await open.until(() => service.asked.includes(call))
    network.isUp = false
    const { version, goals } = (await open.call('clients.get', { id: client.id })).client
    const patch = { goals: [...goals, `Goal of ${call}`], vocabulary: [`Word of ${call}`] }
    await open.call('clients.update', { id: client.id, version, patch })
    network.isUp = true
    await open.call('outbox.retry', {})
    await open.settled()
    expect(new Set(service.bodies.filter((one) => one.call === call).map(({ key }) => key)).size).toBe(1)
  }
  await losing('POST /ai/transcribe', () => open.call('transcripts.request', { session_id: session.id }))
  await losing('POST /ai/analyze', () => open.call('insights.request', { session_id: session.id }))
  expect(kit.speech.requests).toHaveLength(1)
  expect((await open.call('transcripts.get', { session_id: session.id })).work).toMatchObject({ state: 'idle', error: null })
  expect((await open.call('insights.get', { session_id: session.id })).analysis).not.toBeNull()
  expect(await open.call('outbox.list', {})).toEqual([])
})

/** A thousand times as fast as the world. */
const fast: Clock = { now: () => Date.now(), elapsed: () => Math.round(performance.now() * 1000) }
const waitFast: SyncPorts['wait'] = (ms, signal) => waitInTime(ms === null ? null : ms / 1000, signal)

test('a draft whose answer was lost is made once, also where what was said in the session was brought in meanwhile', async () => {
  const kit = await setUp([heard('Nothing.')])
  const { open, service, network } = kit
  const { session } = await sessionThere(kit)
  const call = 'POST /notes/generate'
  service.answerOnce(call, 'cut after')
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.until(() => service.asked.includes(call))
  network.isUp = false
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  network.isUp = true
  await open.call('outbox.retry', {})
  await open.settled()
  const { note, work } = await open.call('notes.get', { session_id: session.id })
  expect(work).toMatchObject({ state: 'idle', error: null })
  expect(note).not.toBeNull()
  expect(await open.call('outbox.list', {})).toEqual([])
  const drafts = service.bodies.filter((one) => one.call.includes('generate'))
  expect(new Set(drafts.map((one) => `${one.call} ${one.key}`)).size).toBe(1)
  expect(new Set(drafts.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test('work that takes the service long, and of which it tells nothing, is asked for again under the same key until it is there', async () => {
  const kit = await setUp(['hang'], { service: { waitMs: 20 } }, { clock: fast, wait: waitFast })
  const { open, speech } = kit
  const { session } = await sessionThere(kit)
  await recordLoud(kit, open, session.id, 2)
  await open.call('transcripts.request', { session_id: session.id })
  await open.until(() => soundOf(kit).length >= 3)
  expect((await open.call('transcripts.get', { session_id: session.id })).work).toMatchObject({ state: 'running', error: null })
  speech.letGo(heard('At last.'))
  await open.settled()
  expect(new Set(soundOf(kit).map(({ key }) => key)).size).toBe(1)
  expect(speech.requests).toHaveLength(1)
  const { transcript, work } = await open.call('transcripts.get', { session_id: session.id })
  expect([transcript?.segments.map(({ text }) => text), work.state]).toEqual([['At last.'], 'idle'])
})

test('a service with everything but uploads gets its sound in pieces, and everything else as ever', async () => {
  const capabilities = everything.filter((name) => name !== 'uploads')
  const kit = await setUp([heard('I could not sleep.'), heard('The breathing helped.')], { capabilities })
  const { open, service } = kit
  const { session, client } = await clientWithSession(open)
  await recordLoud(kit, open, session.id, 13)
  await open.call('transcripts.request', { session_id: session.id })
  await open.settled()
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect((await open.call('service.offers', {})).waiting).toEqual([])
  const { transcript } = await open.call('transcripts.get', { session_id: session.id })
  const there = (await service.inside.call('getTranscript', { params: { id: transcript!.id } })).data
  expect(there.segments.map(({ text }) => text)).toEqual(['I could not sleep.', 'The breathing helped.'])
  const { note } = await open.call('notes.get', { session_id: session.id })
  expect((await service.inside.call('getNote', { params: { id: note!.id } })).data.client_id).toBe(client.id)
  const asked = service.bodies.find(({ call }) => call === 'POST /ai/generate-note')!.body
  expect(asked).toMatchObject({ transcript_id: transcript!.id })
  expect(service.asked.filter((call) => call.includes('uploads'))).toEqual([])
})

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'

test.skipIf(!isFull)('however often the line breaks, each piece is heard once', async () => {
  const words = Array.from({ length: 12 }, (_, index) => `Part ${index}.`)
  const kit = await setUp(words.map(heard), {}, { clock: fast, wait: waitFast })
  const { open, service, speech } = kit
  const { session } = await sessionThere(kit)
  await recordLoud(kit, open, session.id, 100)
  const call = 'POST /ai/transcribe'
  const asked = (): number => service.asked.filter((one) => one === call).length
  const breaks = ['cut before', 'cut after', 503, 'cut after', 'cut after', 'cut before', 429, 'cut after', 502] as const
  service.answerOnce(call, breaks[0])
  await open.call('transcripts.request', { session_id: session.id })
  for (const [index, kind] of breaks.slice(1).entries()) {
    await open.until(() => asked() > 2 * index)
    service.answerOnce(call, kind)
  }
  await open.settled()
  const { transcript, work } = await open.call('transcripts.get', { session_id: session.id })
  expect(work).toMatchObject({ state: 'idle', error: null })
  const pieces = new Set(soundOf(kit).map(({ key }) => key)).size
  expect(pieces).toBeGreaterThan(7)
  expect(speech.requests).toHaveLength(pieces)
  expect(transcript?.segments.map(({ text }) => text)).toEqual(words.slice(0, pieces))
  expect(asked()).toBeGreaterThan(pieces)
})
