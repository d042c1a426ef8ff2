import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeOggOpus, opusSamples } from '#engines/speech/audio-source.ts'
import { decodeWav } from '#engines/speech/decode-wav.ts'
import { readOgg } from '#engines/speech/containers.ts'
import { sessionOgg, speechFixture } from '#test/service/service-kit.ts'
import { wavBytes } from '#test/service/sound.ts'

const wav = readFileSync(join(speechFixture, 'session.wav'))
const samplesInWav = 397_282

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(sound: AsyncIterable<Float32Array>): Promise<Float32Array> {
  const parts: Float32Array[] = []
  for await (const part of sound) parts.push(Float32Array.from(part))
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0)
  return whole
}

/** Of the loudness of 20 ms frames: 1 where two sounds rise and fall together. */
function likeness(left: Float32Array, right: Float32Array, from = 0, to = Math.min(left.length, right.length)): number {
  const energies = (sound: Float32Array) => {
    const frames: number[] = []
    for (let at = from; at + 320 <= to; at += 320)
      frames.push(Math.sqrt(sound.subarray(at, at + 320).reduce((sum, value) => sum + value * value, 0)))
    return frames
  }
  const [a, b] = [energies(left), energies(right)]
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanA, meanB] = [mean(a), mean(b)]
  const sum = (of: (index: number) => number) => a.reduce((total, _, index) => total + of(index), 0)
  return (
    sum((index) => (a[index]! - meanA) * (b[index]! - meanB)) /
    Math.sqrt(sum((index) => (a[index]! - meanA) ** 2) * sum((index) => (b[index]! - meanB) ** 2))
  )
}

describe('Opus in Ogg', () => {
  test('decodes to the sound it was made of, to the sample in length', async () => {
    const sound = await collect(decodeOggOpus(chunks(sessionOgg, 4096)))
    expect(sound.length).toBe(samplesInWav)
    expect(likeness(sound, await collect(decodeWav(wav)))).toBeGreaterThan(0.98)
  })
  test('is the same however its bytes come', async () => {
    const whole = await collect(decodeOggOpus(chunks(sessionOgg, sessionOgg.length)))
    for (const size of [1021, 27, 7]) expect(await collect(decodeOggOpus(chunks(sessionOgg, size)))).toEqual(whole)
  })
  test('keeps its times where a page is damaged: the page is silence, all after it stays in place', async () => {
    const damaged = Buffer.from(sessionOgg)
    damaged[Math.floor(damaged.length / 2)]! ^= 0x40
    const sound = await collect(decodeOggOpus(chunks(damaged, 4096)))
    const whole = await collect(decodeOggOpus(chunks(sessionOgg, 4096)))
    expect(sound.length).toBe(samplesInWav)
    expect(likeness(sound, whole, Math.floor(samplesInWav * 0.6))).toBeGreaterThan(0.99)
    let differing = 0
    for (const [index, value] of sound.entries()) if (Math.abs(value - whole[index]!) > 0.05) differing += 1
    expect(differing).toBeLessThan(1.2 * 16_000)
  })
  test('is read as far as it goes where its end is missing', async () => {
    const sound = await collect(decodeOggOpus(chunks(sessionOgg.subarray(0, sessionOgg.length / 2), 4096)))
    expect(sound.length / samplesInWav).toBeGreaterThan(0.4)
  })
  test('passes over anything between the pages', async () => {
    const pages: Buffer[] = []
    let at = 0
    for (let next = sessionOgg.indexOf('OggS', 1); next > 0; next = sessionOgg.indexOf('OggS', next + 1)) {
      pages.push(sessionOgg.subarray(at, next), Buffer.from('OggS and other rubbish OggOg'))
      at = next
    }
    const sound = await collect(decodeOggOpus(chunks(Buffer.concat([...pages, sessionOgg.subarray(at)]), 500)))
    expect(sound.length).toBe(samplesInWav)
  })
  test('anything else is refused', async () => {
    for (const other of [Buffer.from('nothing of the kind'), wav.subarray(0, 5000), Buffer.alloc(0)]) {
      await expect(collect(decodeOggOpus(chunks(other, 512)))).rejects.toEqual(
        expect.objectContaining({ code: 'unsupported-media' }),
      )
    }
  })
  test('packets say how long they are', () => {
    expect(
      [[0x08], [0x0b, 0x03], [0xfc], [0x80], [0x19, 0], [0xff, 63]].map((packet) => opusSamples(Uint8Array.from(packet))),
    ).toEqual([960, 2880, 960, 120, 5760, 5760])
  })
  test('no slice holds the thread for long', async () => {
    let longest = 0
    let last = process.threadCpuUsage()
    for await (const _ of decodeOggOpus(chunks(sessionOgg, 65_536))) {
      const { user, system } = process.threadCpuUsage(last)
      longest = Math.max(longest, (user + system) / 1000)
      last = process.threadCpuUsage()
    }
    // Milliseconds this thread worked, however busy the machine; generous: the bench has the figure.
    expect(longest).toBeLessThan(200)
  })
  test('pages carry what they say of time', async () => {
    const granules: (bigint | null)[] = []
    for await (const { granule } of readOgg(chunks(sessionOgg, 9999))) granules.push(granule)
    expect(granules.slice(0, 4)).toEqual([0n, 0n, 48_000n, 96_000n])
    expect(granules.at(-1)).toBe(BigInt(samplesInWav * 3 + 312))
  })
})

describe('WAV', () => {
  const tone = (rate: number, hertz: number, seconds = 1) =>
    Int16Array.from({ length: rate * seconds }, (_, index) => Math.round(Math.sin((2 * Math.PI * hertz * index) / rate) * 16_000))
  function withRate(samples: Int16Array, rate: number, channels = 1): Buffer {
    const bytes = wavBytes(samples)
    bytes.writeUInt32LE(rate, 24)
    bytes.writeUInt16LE(channels, 22)
    bytes.writeUInt32LE(rate * 2 * channels, 28)
    return bytes
  }
  const loudness = (sound: Float32Array) => Math.sqrt(sound.reduce((sum, value) => sum + value * value, 0) / sound.length)

  test.each([8_000, 22_050, 44_100, 48_000])('at %d Hz becomes 16 kHz with the same tone', async (rate) => {
    const sound = await collect(decodeWav(withRate(tone(rate, 440), rate)))
    expect(Math.abs(sound.length - 16_000)).toBeLessThanOrEqual(1)
    const wanted = tone(16_000, 440)
    const error = sound.slice(200, -200).map((value, index) => value - wanted[index + 200]! / 32_768)
    expect(loudness(error)).toBeLessThan(0.01)
  })
  test('what 16 kHz cannot carry is left out, not folded back', async () => {
    const sound = await collect(decodeWav(withRate(tone(48_000, 12_000), 48_000)))
    expect(loudness(sound.slice(200, -200))).toBeLessThan(0.01)
  })
  test('two channels become their mean', async () => {
    const both = Int16Array.from({ length: 3200 }, (_, index) => (index % 2 === 0 ? 16_384 : 0))
    expect((await collect(decodeWav(withRate(both, 16_000, 2)))).every((value) => value === 0.25)).toBe(true)
  })
  test('anything else is refused', async () => {
    const odd = wavBytes(tone(16_000, 440))
    odd.writeUInt16LE(85, 20)
    await expect(collect(decodeWav(odd))).rejects.toEqual(expect.objectContaining({ code: 'unsupported-media' }))
  })
})
