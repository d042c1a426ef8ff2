import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Transcript } from '#contract/model/transcript.ts'
import { openKit, type ServiceKit } from '#test/service/service-kit.ts'
import { wavBytes } from '#test/service/sound.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { recogniser, samplesOfFile, tokens, vad, watchedEngines, withSpeakers } from './stand-ins.ts'

const noData = leftOut('models that were brought in, at work', await unmet('test-data'))

describe.skipIf(noData)('models that were brought in', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-brought-in-'))
  let kit: ServiceKit
  afterEach(() => kit.close())
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('hear the next session by themselves: words, speakers, and noise reduced where that is asked for', async () => {
    kit = await openKit({ engines: watchedEngines(), models: { folder } })
    const { client } = kit
    /** Without a name: a model of the catalogue. */
    const bring = (own_name: string | null, ...paths: string[]) => client.call('importModels', { body: { paths, own_name } })
    const ask = (seconds: number, reduce_noise: boolean) => {
      const content = wavBytes(samplesOfFile('session-flite.wav').slice(0, seconds * 16_000)).toString('base64')
      const body = { audio: { content, media_type: 'audio/wav' }, speakers: { min: 2, max: 2 }, reduce_noise }
      return client.call('transcribeWithSpeakers', { body })
    }

    await expect(ask(1, false)).rejects.toMatchObject({ code: 'engine-not-ready' })
    expect((await client.call('describeService', {})).data.engines.speech).toMatchObject({ name: 'none', ready: false })
    await bring('Stand-in words', recogniser, tokens)
    await bring(null, vad)
    await bring('Segments', withSpeakers.segmentation)
    await bring('Voices', withSpeakers.embedding)
    await bring(null, testData('models', 'gtcrn_simple.onnx'))
    const { data: service } = await client.call('describeService', {})
    expect(service.engines.speech).toEqual({ name: 'sherpa-onnx', ready: true, hint: null })

    const plain = (await ask(19.5, false)).data as Transcript
    expect(plain.segments.map(({ speaker_id }) => speaker_id)).toEqual(['voice-1', 'voice-2', 'voice-1', 'voice-2'])
    expect(plain.segments[0]!.text).toBe('How have you been since we last met?')
    const cleaned = (await ask(8, true)).data as Transcript
    // It was there and at work: this stand-in hears a little less of what has passed through it.
    expect(cleaned.segments[1]!.text).not.toBe(plain.segments[1]!.text)
    expect(cleaned.segments[0]!.text).toBe('How have you been since we last met?')
  })
})
