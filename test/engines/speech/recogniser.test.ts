import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Transcript } from '#contract/model/transcript.ts'
import { readWav } from '#engines/speech/decode-wav.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { startSpeechServer } from '#test/support/speech-server.ts'
import type { SpeechServer } from '#test/support/speech-server.ts'
import { aClient, anId, aSession, audioOf, openKit, sessionOgg, speechFixture } from '#test/service/service-kit.ts'
import type { ServiceKit } from '#test/service/service-kit.ts'
import { wavBytes } from '#test/service/sound.ts'
import { wordErrors } from './word-errors.ts'

const noRecogniser = leftOut('transcription by a real recogniser', await unmet('recogniser'))
const noData = noRecogniser || leftOut('transcription of two real people', await unmet('test-data'))

/** What the two people say in the first 20 seconds (../shared/speech). */
const saidByTwo =
  "Good morning, Steve. Good morning, Katie. Have you tried the latest real time diarization in Microsoft Speech Service which can tell you who said what in real time? Not yet. I've been using the batch transcription with diarization functionality, but it produces diarization result until whole audio"

describe.skipIf(noRecogniser)('a real recogniser behind the OpenAI-compatible address', () => {
  let speech: SpeechServer
  let kit: ServiceKit
  let session = ''
  const recording = anId()
  beforeAll(async () => {
    speech = await startSpeechServer()
    const recordings: Record<string, { bytes: Uint8Array; session_id: string }> = {}
    kit = await openKit({
      speech: () => ({ address: speech.address, model: 'pocketsphinx-en-us', key: null, language: 'en' }),
      audio: audioOf(recordings),
    })
    session = (await aSession(kit.client, (await aClient(kit.client)).id)).id
    recordings[recording] = { bytes: sessionOgg, session_id: session }
  })
  afterAll(async () => {
    await kit.close()
    await speech.close()
  })

  test('hears our own Opus recording, with times of every word', async () => {
    const { data: upload } = await kit.client.call('createUpload', { body: { recording_id: recording, media_type: 'audio/ogg' } })
    const { data } = await kit.client.call('transcribe', { body: { audio: { upload_id: upload.id } } })
    const transcript = data as Transcript
    const said = readFileSync(`${speechFixture}/dialogue.tsv`, 'utf8').replaceAll(/^[TC]\t/gm, '')
    const errors = wordErrors(said, transcript.segments.map(({ text }) => text).join(' '))
    process.stdout.write(`word errors, two synthetic voices through Opus: ${Math.round(errors * 100)}%\n`)
    expect(errors).toBeLessThan(0.3)
    const words = transcript.segments.flatMap((segment) => segment.words ?? [])
    expect(words.length).toBeGreaterThan(50)
    expect(words.map(({ start_ms }) => start_ms)).toEqual(
      words.map(({ start_ms }) => start_ms).toSorted((left, right) => left - right),
    )
    expect(words.every(({ end_ms }) => end_ms <= 24_830)).toBe(true)
    expect(transcript).toMatchObject({
      language: 'en',
      duration_ms: 24_830,
      speakers: [],
      engine: { model: 'pocketsphinx-en-us' },
    })
  })

  test.skipIf(noData)('hears two real people in a room', async () => {
    const { data: sound } = readWav(readFileSync(testData('speech', 'katiesteve_29s.wav')))
    const first = new Int16Array(Uint8Array.from(sound.subarray(0, 20 * 32_000)).buffer)
    const content = wavBytes(first).toString('base64')
    const { data } = await kit.client.call('transcribe', {
      body: { audio: { content, media_type: 'audio/wav' }, session_id: session },
    })
    const errors = wordErrors(saidByTwo, (data as Transcript).segments.map(({ text }) => text).join(' '))
    process.stdout.write(`word errors, two real people, 20 s: ${Math.round(errors * 100)}%\n`)
    expect(errors).toBeLessThan(0.45)
  })
})
