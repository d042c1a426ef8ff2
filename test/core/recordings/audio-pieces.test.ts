import { closeSync, fstatSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type AudioPiece, pieceBytes, planPieces } from '#core/recordings/audio-pieces.ts'
import { indexOgg } from '#core/recordings/ogg-mux.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { format, muxed, newRecordingFile, openAppend, recordOf, type Scratch } from './recording-kit.ts'

/** Records of 200 ms; quiet where `isQuiet` says so. */
function spoken(records: number, isQuiet: (record: number) => boolean): Scratch {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  for (let sequence = 0; sequence < records; sequence += 1) {
    file.append({ ...recordOf(sequence), peak: isQuiet(sequence) ? 0.01 : 0.6 })
    scratch.clock.pass(200)
  }
  file.close()
  return scratch
}

async function cut(scratch: Scratch, limit: number): Promise<{ plan: AudioPiece[]; files: Buffer[] }> {
  const file = openSync(scratch.path, 'r')
  try {
    const source = { file, recordingId: scratch.recordingId, key: scratch.key, format }
    const ogg = await indexOgg(source, fstatSync(file).size)
    const plan = planPieces(ogg.index, limit)
    return { plan, files: plan.map((piece) => pieceBytes(source, ogg, piece)) }
  } finally {
    closeSync(file)
  }
}

test('a recording is cut at quiet moments into files of their own, and not a packet is lost or there twice', async () => {
  // Quiet for a second, every seven seconds.
  const scratch = spoken(500, (record) => record % 35 >= 30)
  const limit = 60 * 1024
  const { plan, files } = await cut(scratch, limit)
  expect(plan.length).toBeGreaterThan(4)
  for (const bytes of files) expect(bytes.length).toBeLessThan(limit)
  for (const { end_ms } of plan.slice(0, -1)) expect(Math.floor(end_ms / 200) % 35).toBeGreaterThanOrEqual(30)
  const whole = demux((await muxed(scratch)).bytes).packets
  const read = files.map((bytes) => demux(bytes).packets)
  expect(Buffer.concat(read.flatMap((packets) => packets.slice(2))).equals(Buffer.concat(whole.slice(2)))).toBe(true)
  expect(read.every(([head]) => head?.equals(whole[0]!))).toBe(true)
  expect(plan.map(({ start_ms }) => start_ms)).toEqual([0, ...plan.slice(0, -1).map(({ end_ms }) => end_ms)])
  expect(plan.at(-1)?.end_ms).toBe(100_000)
  const again = await cut(scratch, limit)
  expect(again.plan).toEqual(plan)
  expect(Buffer.concat(again.files).equals(Buffer.concat(files))).toBe(true)
})

test('speech without a pause is cut all the same, and what fits is one piece', async () => {
  const scratch = spoken(200, () => false)
  const { plan, files } = await cut(scratch, 40 * 1024)
  expect(plan.length).toBeGreaterThan(3)
  for (const bytes of files) expect(bytes.length).toBeLessThan(40 * 1024)
  const one = await cut(scratch, 700 * 1024)
  expect(one.plan).toMatchObject([{ number: 0, start_ms: 0, end_ms: 40_000 }])
  expect(demux(one.files[0]!).packets).toHaveLength(2002)
})
