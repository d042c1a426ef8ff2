import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { languageEngines } from '#engines/language/engines.ts'
import { modelLanguage } from '#engines/language/writer/model-language.ts'
import type { ChatTuning } from '#engines/language/chat/chat-model.ts'
import type { LanguagePort } from '#engines/language/port.ts'
import { startScriptedChat } from '#test/support/chat-server-scripted.ts'
import type { ChatOptions, ChatStep, ScriptedChat } from '#test/support/chat-server-scripted.ts'
import { aRequest, answer, goodAnswer } from '../writer/a-session.ts'

let chat: ScriptedChat | null = null
afterEach(async () => {
  await chat?.close()
  chat = null
})

const never = new AbortController().signal
const good: ChatStep = { say: goodAnswer }
const failing = (code: string, detail: string) => expect.objectContaining({ code, detail: expect.stringContaining(detail) })

interface Opened {
  readonly chat: ScriptedChat
  readonly port: LanguagePort
  /** The waits that were asked for; none was waited. */
  readonly waits: number[]
}

async function open(
  steps: ChatStep[],
  {
    tuning = {},
    key = null,
    model = 'tiny',
    ...options
  }: ChatOptions & { tuning?: ChatTuning; key?: string | null; model?: string | null } = {},
): Promise<Opened> {
  const waits: number[] = []
  const server = await startScriptedChat(steps, options)
  chat = server
  const engines = languageEngines(() => ({ kind: 'server', address: server.address, model, key, context_tokens: 16_384 }), {
    chat: { wait: async (ms) => void waits.push(ms), ...tuning },
  })
  return { chat: server, port: modelLanguage((await engines.chosen(never))!), waits }
}

test('the answer is bound to the form of the note; nothing but role, number and words of each turn is sent', async () => {
  const { chat: server, port } = await open([good], { key: 'sk-secret' })
  await port.draft(aRequest(), never)
  const [request] = server.requests
  expect(request).toMatchObject({
    model: 'tiny',
    stream: true,
    temperature: 0.1,
    seed: expect.any(Number),
    max_tokens: expect.any(Number),
    response_format: { type: 'json_schema', json_schema: { strict: true } },
  })
  const schema = JSON.stringify(request!.response_format!.json_schema!.schema)
  for (const key of ['subjective', 'objective', 'assessment', 'plan']) expect(schema).toContain(`"${key}"`)
  const sent = JSON.stringify(request)
  expect(sent).toContain('[2] Client: I slept badly')
  expect(sent).not.toContain('Lopez')
  expect(sent).not.toContain('Weiss')
  expect(server.authorizations).toEqual(['Bearer sk-secret'])
  expect(server.paths).toEqual(['/v1/models', '/v1/chat/completions'])
})

test('statements stand with the words they rest on; the engine is named', async () => {
  const { port } = await open([good])
  const body = await port.draft(aRequest(), never)
  expect(body.engine).toEqual({ name: 'openai-compatible', version: '1', model: 'tiny' })
  const subjective = body.sections[0]!.statements
  expect(subjective.map(({ text }) => text)).toEqual([
    'Client reports sleeping about three hours a night.',
    'Client drinks two glasses of wine on Fridays.',
    'Client takes fifty milligrams of sertraline every morning.',
    'Client denies thoughts of suicide.',
  ])
  expect(subjective[0]).toMatchObject({
    origin: 'model',
    support: 'paraphrase',
    safety: false,
    finding: { topic: 'sleep', state: 'stated' },
    evidence: [{ segment_id: 's2', start_ms: 10_000, end_ms: 19_000, quote: 'maybe three hours a night' }],
  })
  expect(subjective[2]).toMatchObject({ safety: true, finding: { topic: 'medication', state: 'stated' } })
  expect(subjective[3]).toMatchObject({ safety: true, finding: { topic: 'suicidal thoughts', state: 'denied' } })
  expect(body.unsupported).toEqual([])
  expect(body.checks).toContainEqual({ code: 'coverage', severity: 'info', message: 'Read 100% of the session in one pass.' })
})

describe('a server that takes no schema is asked in the next best way, and from then on', () => {
  const noSchema: ChatStep = { status: 400, body: '{"error":{"message":"response_format json_schema is not supported"}}' }
  const noObject: ChatStep = { status: 422, body: '{"error":{"message":"response_format: unknown field"}}' }
  test('for JSON, then for text', async () => {
    const fenced = `Here is the note.\n\`\`\`json\n${goodAnswer}\n\`\`\`\nI hope it helps.`
    const { chat: server, port } = await open([noSchema, noObject, { say: fenced }])
    const body = await port.draft(aRequest(), never)
    expect(body.sections[0]!.statements).toHaveLength(4)
    expect(server.requests.map(({ response_format }) => response_format?.type)).toEqual(['json_schema', 'json_object', undefined])
    await port.draft(aRequest(), never)
    expect(server.requests).toHaveLength(4)
    expect(server.requests[3]!.response_format).toBeUndefined()
  })
  test('and without what else it does not know', async () => {
    const { chat: server, port } = await open([
      { status: 400, body: '{"error":{"message":"Unsupported parameter: max_tokens. Use max_completion_tokens."}}' },
      { status: 400, body: '{"error":{"message":"Unsupported value: temperature does not support 0.1"}}' },
      good,
    ])
    await port.draft(aRequest(), never)
    expect(server.requests[2]).toMatchObject({ response_format: { type: 'json_schema' } })
    expect(server.requests[2]).not.toHaveProperty('max_tokens')
    expect(server.requests[2]).not.toHaveProperty('temperature')
  })
})

test.each(['words', 'event'] as const)('a server that never stops sending (%s) is cut off and not asked again', async (flood) => {
  const { chat: server, port } = await open([{ flood }])
  await expect(port.draft(aRequest(), never)).rejects.toEqual(failing('engine-failed', 'more than a note'))
  await server.aborted(1)
  expect(server.requests).toHaveLength(1)
})

describe('a server that is busy or broken is asked again', () => {
  test.each<[string, ChatStep[], number[]]>([
    ['after as long as it says', [{ status: 429, headers: { 'Retry-After': '7' } }, good], [7000]],
    ['after longer and longer', [{ status: 503 }, { status: 500 }, good], [1000, 4000]],
    ['where the answer broke off', ['cut', good], [1000]],
    [
      'where it ends without a reason',
      [{ status: 200, body: `data: {"choices":[{"delta":{"content":"{"}}]}\n\n` }, good],
      [1000],
    ],
    ['where an error comes in the middle', [{ status: 200, body: 'data: {"error":{"message":"overloaded"}}\n\n' }, good], [1000]],
    ['where it is not events at all', [{ status: 200, body: '<html>Sign in</html>' }, good], [1000]],
  ])('%s', async (_, steps, expected) => {
    const { chat: server, port, waits } = await open(steps)
    expect((await port.draft(aRequest(), never)).sections[0]!.statements).toHaveLength(4)
    expect(waits).toEqual(expected)
    expect(server.requests).toHaveLength(steps.length)
  })
  test('but not for ever, and not where it asks for a long wait', async () => {
    const first = await open([{ status: 503 }])
    await expect(first.port.draft(aRequest(), never)).rejects.toEqual(failing('engine-failed', '503'))
    expect(first.waits).toEqual([1000, 4000, 15_000])
    await first.chat.close()
    const second = await open([{ status: 429, headers: { 'Retry-After': '3600' } }])
    await expect(second.port.draft(aRequest(), never)).rejects.toEqual(failing('engine-failed', '429'))
    expect(second.waits).toEqual([])
  })
})

test('an answer that does not come in time is given up, in words', async () => {
  const { chat: server, port } = await open(['hang'], { tuning: { patience: { firstMs: 40, idleMs: 40 } } })
  await expect(port.draft(aRequest(), never)).rejects.toEqual(failing('engine-failed', 'took too long'))
  await server.aborted(1)
})

test('an answer that stops coming half-way is given up too', async () => {
  const { port } = await open([{ ...good, pause: true }], { tuning: { patience: { firstMs: 30_000, idleMs: 40 } } })
  await expect(port.draft(aRequest(), never)).rejects.toEqual(failing('engine-failed', 'took too long'))
})

test('stopped in the middle of an answer, the server learns of it at once', async () => {
  const { chat: server, port } = await open([{ ...good, pause: true, pieces: 40 }])
  const control = new AbortController()
  const shares: number[] = []
  const drafting = port.draft(aRequest(), control.signal, (share) => {
    shares.push(share)
    control.abort(new AppError('cancelled'))
  })
  await expect(drafting).rejects.toEqual(expect.objectContaining({ code: 'cancelled' }))
  await server.aborted(1)
  expect(shares.length).toBeGreaterThan(0)
})

test('progress grows with the sections that are written and never goes back', async () => {
  const { port } = await open([{ ...good, pieces: 60 }])
  const shares: number[] = []
  await port.draft(aRequest(), never, (share) => shares.push(share))
  expect(shares.length).toBeGreaterThan(3)
  expect(shares).toEqual(shares.toSorted((left, right) => left - right))
  expect(shares.at(-1)).toBe(1)
})

describe('an answer in no usable form', () => {
  test('is asked for once more, with what was wrong', async () => {
    const { chat: server, port } = await open([{ say: '{"sections":[{"key":"subjective","statements":[{"text":7}]}]}' }, good])
    expect((await port.draft(aRequest(), never)).sections[0]!.statements).toHaveLength(4)
    expect(server.requests[1]!.messages.at(-1)!.content).toContain('/sections/0/statements/0/text invalid_type')
  })
  test.each([
    ['no JSON', 'Once upon a time there was a client.'],
    ['half of it', goodAnswer.slice(0, 300)],
    ['sections that are not in the form', answer({ verdict: [] })],
  ])('and where it stays so it fails, in words: %s', async (_, say) => {
    const { chat: server, port } = await open([{ say }])
    await expect(port.draft(aRequest(), never)).rejects.toEqual(failing('engine-unusable', 'does not answer in the form'))
    expect(server.requests).toHaveLength(2)
  })
})

describe('a refusal is said, and nothing is drafted in its place', () => {
  test.each<[string, ChatStep]>([
    ['by a filter', { say: '', finish: 'content_filter' }],
    ['in its own field', { say: '', refusal: 'I cannot write about this.' }],
    ['in prose', { say: 'I’m sorry, but I can’t help with that.' }],
    ['as an error', { status: 400, body: '{"error":{"code":"content_filter","message":"content management policy"}}' }],
  ])('%s', async (_, step) => {
    const { port } = await open([step])
    await expect(port.draft(aRequest(), never)).rejects.toEqual(failing('engine-refused', 'without AI'))
  })
})

describe('what a person can mend is said', () => {
  test.each<[string, ChatStep[], object, string]>([
    ['a wrong key', [{ status: 401 }], {}, 'does not take this key'],
    ['another kind of server', [{ status: 404 }], {}, 'no chat at this address'],
    ['a server that sends elsewhere', [{ status: 307, headers: { location: 'http://127.0.0.1:9/v1' } }], {}, 'another address'],
  ])('%s', async (_, steps, more, detail) => {
    const { port, chat: server } = await open(steps, more)
    await expect(port.draft(aRequest(), never)).rejects.toEqual(failing('engine-not-ready', detail))
    expect(server.requests).toHaveLength(1)
  })
  test('several models and none chosen', async () => {
    await expect(open([good], { model: null, models: [{ id: 'one' }, { id: 'two' }] })).rejects.toEqual(
      failing('engine-not-ready', 'Choose one'),
    )
  })
  test('no server at all', async () => {
    const engines = languageEngines(() => ({
      kind: 'server',
      address: 'http://127.0.0.1:9/v1',
      model: 'm',
      key: null,
      context_tokens: null,
    }))
    await expect(engines.chosen(never)).rejects.toEqual(failing('engine-not-ready', 'does not answer'))
  })
  test('an address in the open, or none', async () => {
    for (const address of ['http://example.org/v1', 'https://user:key@example.org/v1', null]) {
      const engines = languageEngines(() => ({ kind: 'server', address, model: 'm', key: null, context_tokens: null }))
      await expect(engines.chosen(never)).rejects.toEqual(failing('engine-not-ready', 'address'))
    }
  })
  test('a model that reads too little', async () => {
    const { chat: server } = await open([good], { models: [{ id: 'tiny', max_model_len: 900 }] })
    const engines = languageEngines(() => ({
      kind: 'server',
      address: server.address,
      model: 'tiny',
      key: null,
      context_tokens: null,
    }))
    const port = modelLanguage((await engines.chosen(never))!)
    await expect(port.draft(aRequest(), never)).rejects.toEqual(failing('engine-not-ready', 'larger context'))
  })
})

test('the one model of a server needs no choosing, and its context is read from the list', async () => {
  const { port } = await open([good], { model: null, models: [{ id: 'only', max_model_len: 8192 }] })
  expect(port.engine.model).toBe('only')
})

test('no error carries a word of the session or of the answer', async () => {
  const echo: ChatStep = { status: 400, body: '{"error":{"message":"bad: The heron on the canal wakes me"}}' }
  for (const step of [echo, { say: 'The heron on the canal wakes me' }, 'cut'] satisfies ChatStep[]) {
    const { port, chat: server } = await open([step])
    const error: unknown = await port.draft(aRequest(), never).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(AppError)
    const { message, detail, stack, cause } = error as AppError
    expect(cause).toBeUndefined()
    expect(`${message} ${detail} ${stack}`).not.toMatch(/heron|canal/)
    await server.close()
  }
})
