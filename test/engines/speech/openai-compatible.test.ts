import { afterEach, describe, expect, test } from 'vitest'
import { openAiCompatible } from '#engines/speech/openai-compatible.ts'
import type { Tuning } from '#engines/speech/openai-compatible.ts'
import { wavBytes } from '#test/service/sound.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech, Step } from '#test/support/speech-server-scripted.ts'

let speech: ScriptedSpeech
afterEach(() => speech.close())

const words: Step = { status: 200, body: '{"text":"I slept badly."}' }
const never = new AbortController().signal
const request = {
  wav: Uint8Array.from(wavBytes(new Int16Array(16_000))),
  duration_ms: 1000,
  language: null,
  vocabulary: [] as string[],
}

async function ask(steps: Step[], tuning: Tuning = {}, signal = never) {
  speech = await startScriptedSpeech(steps)
  const port = openAiCompatible(
    { address: `${speech.address}/`, model: null, key: null, language: 'en-GB' },
    { pauses: [0, 0], ...tuning },
  )
  return port.transcribe({ ...request, vocabulary: ['Ana', 'sertraline'] }, signal)
}
const failing = (code: string, detail: string) => expect.objectContaining({ code, detail: expect.stringContaining(detail) })

test('it sends WAV, asks for times of words, says which words to expect, and no key where there is none', async () => {
  await ask([words])
  expect(speech.requests).toEqual([
    {
      file: ['audio/wav 32044'],
      model: ['whisper-1'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['segment', 'word'],
      language: ['en'],
      prompt: ['Ana, sertraline'],
    },
  ])
  expect(speech.authorizations).toEqual([undefined])
})

describe('an answer that may be better next time is asked for again', () => {
  test.each<[string, Step[]]>([
    ['too many requests', [{ status: 429, headers: { 'Retry-After': '0' } }, words]],
    ['a broken server, twice', [{ status: 500 }, { status: 503 }, words]],
    ['a connection that was cut', ['cut', words]],
  ])('%s', async (_, steps) => {
    expect((await ask(steps)).segments).toMatchObject([{ text: 'I slept badly.' }])
    expect(speech.requests).toHaveLength(steps.length)
  })
  test('but not for ever', async () => {
    await expect(ask([{ status: 500 }])).rejects.toEqual(failing('engine-failed', '500'))
    expect(speech.requests).toHaveLength(3)
  })
})

describe('an answer that stays wrong says what to do and is not asked for again', () => {
  test.each<[string, Step, string, string]>([
    ['malformed JSON', { status: 200, body: '{"text": "I sle' }, 'engine-failed', 'not a transcript'],
    [
      'a web page',
      { status: 200, body: '<html>Welcome</html>', headers: { 'Content-Type': 'text/html' } },
      'engine-failed',
      'address',
    ],
    ['a refused key', { status: 401 }, 'engine-not-ready', 'key'],
    ['no such address or model', { status: 404 }, 'engine-not-ready', 'model'],
    ['a refused sound', { status: 400, body: '{"error":"the words were: I slept"}' }, 'engine-failed', '400'],
    ['another address', { status: 302, headers: { Location: 'http://127.0.0.1:9/' } }, 'engine-failed', 'does not answer'],
  ])('%s', async (_, step, code, detail) => {
    await expect(ask([step], { pauses: [] })).rejects.toEqual(failing(code, detail))
    expect(speech.requests).toHaveLength(1)
  })
})

test('a server that is stuck is given up', async () => {
  await expect(ask(['hang'], { timeoutMs: 50 })).rejects.toEqual(failing('engine-failed', 'too long'))
})

test('a server that is not there is engine-failed, to be tried again later', async () => {
  await ask([words])
  await speech.close()
  const gone = openAiCompatible({ address: speech.address, model: null, key: null, language: null }, { pauses: [] })
  await expect(gone.transcribe(request, never)).rejects.toEqual(
    expect.objectContaining({ code: 'engine-failed', retryable: true }),
  )
})

test('stopping stops at once, while it waits for an answer and between two attempts', async () => {
  const first = new AbortController()
  const asked = ask(['hang'], {}, first.signal)
  first.abort(new Error('stop'))
  await expect(asked).rejects.toThrow('stop')
  await speech.close()
  const second = new AbortController()
  const again = ask([{ status: 500 }], { pauses: [60_000] }, second.signal)
  setTimeout(() => second.abort(new Error('stop')), 200)
  await expect(again).rejects.toThrow('stop')
})
