import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Transcript, transcriptSchema } from '#contract/model/transcript.ts'
import { pieceBytes, planPieces } from '#core/recordings/audio-pieces.ts'
import { indexOgg } from '#core/recordings/ogg-mux.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { joinPieces } from '#core/sync/plain/transcribe-in-pieces.ts'
import { openKit, sessionOgg, speechFixture } from '#test/service/service-kit.ts'
import { wordErrors } from '#test/engines/speech/word-errors.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { startSpeechServer } from '#test/support/speech-server.ts'
import { format, newRecordingFile, openAppend, type Scratch } from './recording-kit.ts'

const isLeftOut =
  process.env['AFTERWORD_FAULTS'] !== 'full' || leftOut('pieces heard by a real recogniser', await unmet('recogniser'))
const perRecord = 10

/** The project's short session as the recorder would have kept it, with the levels of its sound. */
function recordedSession(): Scratch {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  const packets = demux(sessionOgg).packets.slice(2)
  const samples = readFileSync(join(speechFixture, 'session.wav')).subarray(44)
  for (let sequence = 0; sequence * perRecord < packets.length; sequence += 1) {
    const own = packets.slice(sequence * perRecord, (sequence + 1) * perRecord)
    // 200 ms of 16 kHz sound.
    const sound = samples.subarray(sequence * 6400, (sequence + 1) * 6400)
    const levels = Array.from({ length: Math.floor(sound.length / 2) }, (_, at) => Math.abs(sound.readInt16LE(at * 2)) / 32_768)
    const peak = levels.reduce((most, level) => Math.max(most, level), 0)
    file.append({ sequence, packets: joinPackets(own), peak, rms: peak / 3 })
    scratch.clock.pass(200)
  }
  file.close()
  return scratch
}

describe.skipIf(isLeftOut)('pieces of a recording', () => {
  test('are heard one by one as well as the whole, at the same times', { timeout: 300_000 }, async () => {
    const speech = await startSpeechServer()
    const kit = await openKit({
      speech: () => ({ address: speech.address, model: 'pocketsphinx-en-us', key: null, language: 'en' }),
    })
    onTestFinished(async () => {
      await kit.close()
      await speech.close()
    })
    const scratch = recordedSession()
    const file = openSync(scratch.path, 'r')
    onTestFinished(() => closeSync(file))
    const source = { file, recordingId: scratch.recordingId, key: scratch.key, format }
    const ogg = await indexOgg(source, fstatSync(file).size)
    const hear = async (limit: number): Promise<ReturnType<typeof joinPieces>> => {
      const pieces = []
      for (const piece of planPieces(ogg.index, limit)) {
        const content = pieceBytes(source, ogg, piece).toString('base64')
        const { data } = await kit.client.call('transcribe', { body: { audio: { content, media_type: 'audio/ogg' } } })
        pieces.push({ ...piece, transcript: transcriptSchema.parse(data) as Transcript })
      }
      process.stdout.write(`pieces: ${pieces.map(({ start_ms, end_ms }) => `${start_ms}-${end_ms}`).join(' ')}\n`)
      return joinPieces(pieces)
    }
    const [whole, joined] = [await hear(700 * 1024), await hear(36 * 1024)]
    const said = readFileSync(`${speechFixture}/dialogue.tsv`, 'utf8').replaceAll(/^[TC]\t/gm, '')
    const errorsIn = ({ segments }: typeof whole): number => wordErrors(said, segments.map(({ text }) => text).join(' '))
    process.stdout.write(`word errors: whole ${errorsIn(whole)}, in pieces ${errorsIn(joined)}\n`)
    expect(errorsIn(joined)).toBeLessThan(errorsIn(whole) + 0.1)
    expect(joined.duration_ms).toBe(whole.duration_ms)
    const starts = (all: typeof whole) => all.segments.flatMap(({ words = [] }) => words.map(({ start_ms }) => start_ms))
    expect(starts(joined)).toEqual(starts(joined).toSorted((left, right) => left - right))
  })
})
