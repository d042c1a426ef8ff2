import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { Operation } from '#contract/model/operation.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { levelled } from '#engines/speech/local/listening.ts'
import { loadSpeechDetector } from '#engines/speech/local/speech-detector.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { openKit, type ServiceKit } from '#test/service/service-kit.ts'
import { wavBytes } from '#test/service/sound.ts'
import { wordErrors } from '../word-errors.ts'
import { eagerRecogniser } from './eager-recogniser.ts'
import { installed, recogniser, said, samplesOfFile, vad, watchedEngines } from './stand-ins.ts'

const noData = leftOut('speech by models on this machine', await unmet('test-data'))
const folder = mkdtempSync(join(tmpdir(), 'afterword-local-speech-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(noData)('speech by models on this machine', { timeout: 120_000 }, () => {
  let kit: ServiceKit | null = null
  afterEach(async () => {
    await kit?.close()
    kit = null
  })

  async function open(models = installed(), engines: EngineHost = watchedEngines()): Promise<ServiceKit> {
    kit = await openKit({ engines, installed: async () => models })
    return kit
  }

  test('finds the seven sentences that two people say, and where each begins and ends', () => {
    const detector = loadSpeechDetector(vad, { pauseSeconds: 0.5, longestSeconds: 24 })
    const sound = levelled(samplesOfFile('katiesteve_29s.wav'), 1)
    const found = [...detector.accept(sound), ...detector.finish()].map(({ start, samples }) => [start, start + samples.length])
    const spoken = readFileSync(testData('speech', 'katiesteve_29s.rttm'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([, , , start, length]) => [Number(start), Number(start) + Number(length)])
    expect(found).toHaveLength(7)
    for (const [index, [start, end]] of spoken.entries()) {
      expect(Math.abs(found[index]![0]! / 16_000 - start!)).toBeLessThan(0.2)
      expect(Math.abs(found[index]![1]! / 16_000 - end!)).toBeLessThan(0.2)
    }
  })

  test('hears every word in order, with its time', async () => {
    const { client } = await open()
    const { data } = await client.call('transcribe', { body: { audio: first(19.5), language: 'en' } })
    const transcript = data as Transcript
    const words = transcript.segments.flatMap((segment) => segment.words ?? [])
    const reference = said().split('\n').slice(0, 4).join(' ')
    expect(wordErrors(reference, transcript.segments.map(({ text }) => text).join(' '))).toBeLessThan(0.02)
    expect(words.length).toBeGreaterThan(40)
    expect(words.map(({ text }) => text).join(' ')).toBe(transcript.segments.map(({ text }) => text).join(' '))
    const times = words.flatMap(({ start_ms, end_ms }) => [start_ms, end_ms])
    expect(times).toEqual(times.toSorted((left, right) => left - right))
    expect(transcript).toMatchObject({ language: 'en', duration_ms: 19_500, speakers: [] })
    expect(transcript.engine).toEqual({ name: 'sherpa-onnx', version: '1.13.8', model: 'stand-in' })
    expect(transcript.segments.every(({ confidence }) => confidence === null)).toBe(true)
  })

  test('where nobody speaks nothing is heard, even by a model that always hears something', async () => {
    const { client } = await open({ ...installed(), speech: eagerRecogniser(folder) })
    const spoken = (await client.call('transcribe', { body: { audio: first(4) } })).data as Transcript
    expect(spoken.segments.map(({ text }) => text)).toContain('invented')
    for (const sound of [silence, hiss, hum, knocks]) {
      const { data } = await client.call('transcribe', { body: { audio: wav(sound(12)) } })
      expect(data).toMatchObject({ segments: [], duration_ms: 12_000 })
    }
  })

  test.each([
    ['a truncated speech model', 'speech', truncated(recogniser), 'The speech-to-text model couldn’t be loaded'],
    ['a web page in its place', 'speech', foreign(), 'The speech-to-text model couldn’t be loaded'],
    ['a truncated detector', 'vad', truncated(vad), 'The speech detection model couldn’t be loaded'],
    ['a detector that is gone', 'vad', () => join(folder, 'gone.onnx'), 'The speech detection model'],
  ] as const)('%s is told, and the next work with a good one goes well', async (_, which, file, sentence) => {
    let models = installed({ [which]: file() })
    kit = await openKit({ engines: watchedEngines(), installed: async () => models })
    const refused = kit.client.call('transcribe', { body: { audio: first(3) } })
    await expect(refused).rejects.toMatchObject({ code: 'model-damaged', detail: expect.stringContaining(sentence) })
    models = installed()
    const { data } = await kit.client.call('transcribe', { body: { audio: first(3) } })
    expect((data as Transcript).segments[0]?.text).toBe('How have you been since we last met?')
  })

  test('without a model, or without what finds speech, it says what is missing', async () => {
    const { client } = await open(installed({ speech: null }))
    await expect(client.call('transcribe', { body: { audio: first(1) } })).rejects.toMatchObject({ code: 'engine-not-ready' })
    await kit?.close()
    const other = await open(installed({ vad: null }))
    const refused = other.client.call('transcribe', { body: { audio: first(1) } })
    await expect(refused).rejects.toMatchObject({ detail: expect.stringContaining('speech detection model isn’t installed') })
  })

  test('cancelled, the work ends its process', async () => {
    const taken = Promise.withResolvers<void>()
    const engines = watchedEngines((message) => {
      if ((message as { kind: string }).kind === 'taken') taken.resolve()
    })
    const { client } = await open(installed(), engines)
    const { data } = await client.call('transcribe', { body: { audio: first(21) }, preferAsync: true })
    await taken.promise
    await client.call('cancelOperation', { params: { id: (data as Operation).id } })
    await vi.waitUntil(() => engines.running.size === 0, { timeout: 20_000 })
    expect(engines.started).toHaveLength(1)
  })

  test('when it is done no process is left', async () => {
    const engines = watchedEngines()
    const { client } = await open(installed(), engines)
    await client.call('transcribe', { body: { audio: first(3) } })
    await vi.waitUntil(() => engines.running.size === 0, { timeout: 20_000 })
  })

  function first(seconds: number) {
    return wav(samplesOfFile('session-flite.wav').slice(0, seconds * 16_000))
  }
})

const wav = (samples: Int16Array) => ({ content: wavBytes(samples).toString('base64'), media_type: 'audio/wav' })
const made = (seconds: number, sample: (at: number) => number): Int16Array =>
  Int16Array.from({ length: seconds * 16_000 }, (_, index) => sample(index))
const silence = (seconds: number): Int16Array => made(seconds, () => 0)
const hum = (seconds: number): Int16Array => made(seconds, (at) => Math.sin((at * 2 * Math.PI * 50) / 16_000) * 3000)
/** The same each time. */
const hiss = (seconds: number): Int16Array => made(seconds, (at) => (((at * 1_103_515_245 + 12_345) >>> 8) % 400) - 200)
const knocks = (seconds: number): Int16Array => made(seconds, (at) => (at % 32_000 < 160 ? (at % 2 ? 9000 : -9000) : 0))

function truncated(file: string): () => string {
  return () => {
    const bytes = readFileSync(file)
    const path = join(folder, 'truncated.onnx')
    writeFileSync(path, bytes.subarray(0, bytes.length / 2))
    return path
  }
}

function foreign(): () => string {
  return () => {
    const path = join(folder, 'foreign.onnx')
    writeFileSync(path, '<!doctype html><title>Sign in</title>')
    return path
  }
}
