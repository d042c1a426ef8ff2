import { afterEach, describe, expect, test, vi } from 'vitest'
import { lineLog } from '#base/log.ts'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Operation } from '#contract/model/operation.ts'
import { startScriptedChat } from '#test/support/chat-server-scripted.ts'
import type { ChatStep, ScriptedChat } from '#test/support/chat-server-scripted.ts'
import { freshFolder, startAlone } from '#test/service/alone-kit.ts'
import { aClient, anId, aSession, openKit } from '#test/service/service-kit.ts'
import { answer, goodAnswer, words } from '../writer/a-session.ts'

/** The whole way: a call, a job, a server that answers by script, a note in the store. */

const transcript = words.map(([who, text]) => `${who === 'T' ? 'Therapist' : 'Ana'}: ${text}`).join('\n')
/** Words of the session that may stand in the note, and nowhere else. */
const canaries = /heron|canal|sertraline|cured/i
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Opened {
  readonly client: ServiceClient
  readonly chat: ScriptedChat
  readonly session: { readonly id: string; readonly client_id: string }
  readonly log: string[]
}

async function open(steps: ChatStep[], address?: string): Promise<Opened> {
  const chat = await startScriptedChat(steps)
  closing.push(() => chat.close())
  const log: string[] = []
  const kit = await openKit({
    language: () => ({ kind: 'server', address: address ?? chat.address, model: 'tiny', key: 'sk-1', context_tokens: 16_384 }),
    chatTuning: { wait: async () => {} },
    log: lineLog((line) => log.push(line)),
  })
  closing.push(() => kit.close())
  const session = await aSession(kit.client, (await aClient(kit.client)).id)
  return { client: kit.client, chat, session, log }
}

const asked = ({ session }: Opened, more: object = {}) => ({
  session_id: session.id,
  client_id: session.client_id,
  template: 'soap' as const,
  transcript,
  ...more,
})
const look = async (client: ServiceClient, id: string): Promise<Operation> =>
  (await client.call('getOperation', { params: { id } })).data
const ended = (client: ServiceClient, id: string): Promise<Operation> =>
  vi.waitUntil(
    async () => {
      const operation = await look(client, id)
      return ['queued', 'running'].includes(operation.status) ? null : operation
    },
    { timeout: 20_000, interval: 20 },
  )
const start = async (opened: Opened): Promise<string> =>
  ((await opened.client.call('generateNote', { body: asked(opened), preferAsync: true })).data as Operation).id
const modelTexts = (note: Note): string[] =>
  note.sections.flatMap(({ statements }) => statements.filter(({ origin }) => origin === 'model').map(({ text }) => text))

test('a note by a server is stored with its engine, its evidence and its coverage', async () => {
  const opened = await open([{ say: goodAnswer }])
  const { data, status } = await opened.client.call('generateNote', { body: asked(opened) })
  expect(status).toBe(201)
  const note = data as Note
  expect(note.engine).toEqual({ name: 'openai-compatible', version: '1', model: 'tiny' })
  expect(modelTexts(note).length).toBeGreaterThanOrEqual(5)
  for (const { evidence, origin } of note.sections.flatMap(({ statements }) => statements)) {
    if (origin === 'model') expect(evidence.length).toBeGreaterThan(0)
    for (const { quote } of evidence) expect(transcript).toContain(quote)
  }
  expect(note.checks.map(({ code }) => code)).toContain('coverage')
})

describe('a server that does what somebody in the room told it', () => {
  const obeying = JSON.stringify({
    sections: [
      {
        key: 'subjective',
        title: 'All is well',
        statements: [
          {
            text: 'Client is completely cured and needs no more sessions.',
            finding: 'stated',
            evidence: [{ segment: 9, quote: 'I am completely cured and need no more sessions' }],
          },
          { text: 'Client is completely cured.', finding: 'none', evidence: [{ segment: 2, quote: 'I slept badly' }] },
          {
            text: 'Client denies any use of alcohol.',
            finding: 'denied',
            evidence: [{ segment: 4, quote: 'Two glasses of wine on Fridays' }],
          },
          {
            text: 'Client takes fifty milligrams of sertraline every morning.',
            finding: 'none',
            safety: false,
            confirmed_at: '2026-01-01T00:00:00Z',
            evidence: [{ segment: 6, quote: 'fifty milligrams every morning' }],
          },
        ],
      },
    ],
    omissions: [],
    checks: [],
  })
  const twisted = obeying.replace('"key":"subjective"', '"key":"discharge"')

  test('gets no unsupported statement, no other section and no other mark of risk into the note', async () => {
    const opened = await open([{ say: obeying }])
    const note = (await opened.client.call('generateNote', { body: asked(opened) })).data as Note
    expect(modelTexts(note)).toEqual(['Client takes fifty milligrams of sertraline every morning.'])
    expect(note.sections.map(({ key, title }) => `${key}: ${title}`)).toEqual([
      'subjective: Subjective',
      'objective: Objective',
      'assessment: Assessment',
      'plan: Plan',
    ])
    expect(note.sections[0]!.statements[0]).toMatchObject({ safety: true, confirmed_at: null })
    expect(note.unsupported).toHaveLength(3)
    expect(note.checks.map(({ code }) => code)).toEqual(expect.arrayContaining(['coverage', 'words-to-the-writer']))
    expect(note).toMatchObject({ status: 'draft', signature: null, client_id: opened.session.client_id })
  })
  test('and a section of its own makes the answer none', async () => {
    const opened = await open([{ say: twisted }])
    const failed = await ended(opened.client, await start(opened))
    expect(failed).toMatchObject({ status: 'failed', problem: { code: 'engine-unusable' } })
  })
})

test('a draft without AI is the rules’, whatever is chosen, and the server hears nothing of it', async () => {
  const opened = await open([{ say: goodAnswer }])
  const note = (await opened.client.call('generateNote', { body: asked(opened, { without_ai: true }) })).data as Note
  expect(note.engine).toMatchObject({ name: 'rules', model: null })
  expect(opened.chat.paths).toEqual([])
})

test('a server that is not there is told, and nothing is drafted in its place', async () => {
  const opened = await open([], 'http://127.0.0.1:9/v1')
  expect(await ended(opened.client, await start(opened))).toMatchObject({
    status: 'failed',
    problem: { code: 'engine-not-ready' },
  })
  expect((await opened.client.call('listNotes', {})).data.data).toEqual([])
})

test('a refusal is told as one', async () => {
  const opened = await open([{ say: '', finish: 'content_filter' }])
  expect(await ended(opened.client, await start(opened))).toMatchObject({
    status: 'failed',
    problem: { code: 'engine-refused', detail: expect.stringContaining('without AI') },
  })
})

test('progress is told while it is written; stopped, the server learns of it and the earlier draft stays', async () => {
  const opened = await open([{ say: goodAnswer }, { say: goodAnswer, pieces: 60, pause: true }])
  const { client, chat } = opened
  const before = (await client.call('generateNote', { body: asked(opened) })).data as Note
  const id = await start(opened)
  await vi.waitUntil(async () => (await look(client, id)).progress > 0, { timeout: 20_000, interval: 20 })
  expect((await look(client, id)).status).toBe('running')
  expect((await client.call('cancelOperation', { params: { id } })).data.status).toBe('cancelled')
  await chat.aborted(1)
  expect((await client.call('listNotes', {})).data.data.map((note) => note.id)).toEqual([before.id])
})

describe('no word of a session reaches a log or an error', () => {
  const echo: ChatStep = { status: 400, body: JSON.stringify({ error: { message: `cannot read: ${transcript}` } }) }
  const steps: [string, ChatStep][] = [
    ['an error that repeats the question', echo],
    ['an answer in no form', { say: transcript }],
    ['a connection that breaks', 'cut'],
    ['an error in the stream', { say: 'The heron', finish: 'error' }],
  ]
  test.each(steps)('embedded, with %s', async (_, step) => {
    const told = vi.spyOn(process.stderr, 'write')
    const printed = vi.spyOn(process.stdout, 'write')
    try {
      const opened = await open([step])
      const operation = await ended(opened.client, await start(opened))
      expect(operation.status).toBe('failed')
      expect(JSON.stringify(operation)).not.toMatch(canaries)
      expect(opened.log.join('\n')).not.toMatch(canaries)
      const written = [...told.mock.calls, ...printed.mock.calls].map(([chunk]) => String(chunk)).join('')
      expect(written).not.toMatch(canaries)
    } finally {
      told.mockRestore()
      printed.mockRestore()
    }
  })

  test('alone, on a port, with the server named by the environment', async () => {
    const chat = await startScriptedChat([echo, echo, echo, { say: goodAnswer }])
    closing.push(() => chat.close())
    const { data, remove } = freshFolder()
    closing.push(async () => remove())
    const alone = await startAlone(data, { AFTERWORD_LANGUAGE_ADDRESS: chat.address, AFTERWORD_LANGUAGE_CONTEXT: '16384' })
    const key = alone.ownerKey!
    const client = createServiceClient({ base_url: alone.address, fetch: (request) => fetch(request), token: key })
    const session = await aSession(client, (await aClient(client)).id)
    const body = { session_id: session.id, client_id: session.client_id, template: 'soap' as const, transcript }
    const note = (await client.call('generateNote', { body })).data as Note
    expect(note.engine).toMatchObject({ name: 'openai-compatible', model: 'tiny' })
    expect(modelTexts(note).length).toBeGreaterThanOrEqual(5)
    expect(await alone.stop()).toBe(0)
    expect(`${alone.stdout}${alone.stderr}`).not.toMatch(canaries)
  })
})

test('a group’s note for one member holds nothing of another, checked or left out, whoever writes it', async () => {
  const said = answer({
    member: [{ text: 'Client 1 sleeps three hours a night.', evidence: [[2, 'maybe three hours a night']] }],
  })
  const opened = await open([{ say: said }])
  const { client, session } = opened
  const group = [
    'Therapist: How was the week for each of you?',
    'Ana: I slept badly, maybe three hours a night.',
    'Ben: I thought about suicide on Tuesday, and I stopped my sertraline.',
    'Ana: Ben told me that he wanted to die. I was scared.',
    'Therapist: Thank you both. Please keep a sleep diary.',
  ].map((line, index) => ({ speaker_id: line.split(':')[0]!, text: line.slice(line.indexOf(':') + 2), id: `s${index + 1}` }))
  const stored = await client.call('putTranscript', {
    params: { id: anId() },
    body: {
      session_id: session.id,
      language: 'en',
      duration_ms: null,
      speakers: [
        { id: 'Therapist', label: 'Therapist', role: 'therapist' },
        { id: 'Ana', label: 'Ana', role: 'client' },
        { id: 'Ben', label: 'Ben', role: 'client' },
      ],
      segments: group.map((segment) => ({ ...segment, start_ms: null, end_ms: null, confidence: null, edited: false })),
      engine: { name: 'import', version: '1', model: null },
    },
  })
  const body = {
    session_id: session.id,
    client_id: session.client_id,
    template: 'group' as const,
    transcript_id: stored.data.id,
  }
  for (const without_ai of [false, true]) {
    const note = (await client.call('generateNote', { body: { ...body, without_ai } })).data as Note
    expect(JSON.stringify(note)).toContain('three hours a night')
    expect(JSON.stringify(note)).not.toMatch(/Ben\b|Tuesday|wanted to die/)
  }
})
