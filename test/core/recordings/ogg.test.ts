import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { OpusDecoder } from 'opus-decoder'
import { expect, test } from 'vitest'
import { oggBytes } from '#core/recordings/ogg-mux.ts'
import { joinPackets, SILENT_PACKET } from '#core/recordings/opus-packets.ts'
import { peaksOf, waveform } from '#core/recordings/recording-index.ts'
import { format, muxed, newRecordingFile, openAppend, packet, packetsOf, recorded, recordOf, scan } from './recording-kit.ts'
import { demux } from '#test/support/ogg-pages.ts'

const recordsOf = (from: number, to: number): Buffer[] =>
  Array.from({ length: to - from }, (_, index) => packetsOf(from + index)).flat()

test('the same recording always makes the same Ogg file', async () => {
  const scratch = recorded(23)
  const [first, second] = [await muxed(scratch), await muxed(scratch)]
  expect(first.bytes.equals(second.bytes)).toBe(true)
  expect(first.bytes.length).toBe(first.ogg.bytes)
})

test('any range equals the slice of the whole', async () => {
  const scratch = recorded(40)
  const { bytes: whole } = await muxed(scratch)
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.nat(whole.length), async (a, b) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)]
      const { bytes } = await muxed(scratch, start, end)
      expect(bytes.equals(whole.subarray(start, end))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('every packet is in it, in order, and the times are those of the samples', async () => {
  const { bytes } = await muxed(recorded(12))
  const { packets, granules, flags } = demux(bytes)
  expect(packets.slice(2)).toEqual(recordsOf(0, 12))
  expect(granules).toEqual([0, 0, 48_000, 96_000, 115_200])
  expect(flags).toEqual([2, 0, 0, 0, 4])
})

test('records of any length and packets of any size are paged without loss', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 5, max: 1275 }), { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 15 }),
      async (records) => {
        const scratch = newRecordingFile()
        const file = openAppend(scratch)
        let content = 0
        const all = records.map((lengths) => lengths.map((length) => packet((content += 1), length)))
        for (const [sequence, packets] of all.entries()) file.append({ sequence, packets: joinPackets(packets), peak: 0, rms: 0 })
        file.finish()
        file.close()
        const { packets, granules } = demux((await muxed(scratch)).bytes)
        expect(packets.slice(2)).toEqual(all.flat())
        expect(granules.at(-1)).toBe(all.flat().length * 960)
      },
    ),
    { numRuns: 40 },
  )
})

test('damaged records become silence of the same length, so that every later time stays true', async () => {
  const scratch = recorded(20)
  const places = scan(scratch)
  const bytes = readFileSync(scratch.path)
  for (const sequence of [7, 8]) bytes[places[sequence]!.offset + 60]! ^= 1
  writeFileSync(scratch.path, bytes)
  const { bytes: ogg, ogg: found } = await muxed(scratch)
  const { packets, granules } = demux(ogg)
  const silence = Array.from({ length: 20 }, () => SILENT_PACKET)
  expect(packets.slice(2)).toEqual([...recordsOf(0, 7), ...silence, ...recordsOf(9, 20)])
  expect(granules.at(-1)).toBe(20 * 9600)
  expect(found.index).toMatchObject({ damaged_ms: 400, gaps: [{ at_ms: 1400, duration_ms: 400, reason: 'damage' }] })
})

test('damage at the end is filled up to the final record', async () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  for (let sequence = 0; sequence < 5; sequence += 1) file.append(recordOf(sequence))
  file.finish()
  file.close()
  const places = scan(scratch)
  const bytes = readFileSync(scratch.path)
  bytes[places[4]!.offset + 50]! ^= 1
  writeFileSync(scratch.path, bytes)
  const { packets } = demux((await muxed(scratch)).bytes)
  expect(packets.length - 2).toBe(50)
})

test('damage met after the index was made is refused, not played', async () => {
  const scratch = recorded(20)
  const { ogg } = await muxed(scratch)
  expect(ogg.index.records.length).toBe(20)
  const bytes = readFileSync(scratch.path)
  bytes[ogg.index.records[3]!.offset + 70]! ^= 1
  writeFileSync(scratch.path, bytes)
  const file = openSync(scratch.path, 'r')
  const source = { file, recordingId: scratch.recordingId, key: scratch.key, format }
  expect(() => [...oggBytes(source, ogg, 0, ogg.bytes)]).toThrow(expect.objectContaining({ code: 'recording-damaged' }))
  closeSync(file)
})

test('what stands for lost sound decodes to silence of 20 ms', async () => {
  const decoder = new OpusDecoder({ channels: 1, sampleRate: 16_000 })
  await decoder.ready
  const { channelData, samplesDecoded, errors } = decoder.decodeFrames([SILENT_PACKET, SILENT_PACKET])
  decoder.free()
  expect(errors).toEqual([])
  expect(samplesDecoded).toBe(640)
  expect(Math.max(...channelData[0]!.map(Math.abs))).toBeLessThan(1e-9)
})

test('a recording without sound is still an Ogg file, ended on its second page', async () => {
  const { bytes } = await muxed(recorded(0))
  expect(demux(bytes).flags).toEqual([2, 4])
})

test('the waveform is the loudest of each stretch, over the whole length', async () => {
  const scratch = newRecordingFile()
  const file = openAppend(scratch)
  for (const [sequence, peak] of [0, 0.2, 1, 0.4].entries()) file.append({ ...recordOf(sequence), peak })
  file.close()
  const { ogg } = await muxed(scratch)
  const slots = peaksOf(ogg.index)
  expect([...slots]).toEqual([0, 51, 255, 102])
  expect(waveform(slots, 2)).toEqual([0.2, 1])
  expect(waveform(slots, 8)).toEqual([0, 0, 0.2, 0.2, 1, 1, 0.4, 0.4])
})
