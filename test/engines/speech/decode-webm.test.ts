import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeWav, decodeWavStream } from '#engines/speech/decode-wav.ts'
import { decodeWebmOpus } from '#engines/speech/audio-source.ts'
import { readWebm } from '#engines/speech/containers.ts'
import { speechFixture } from '#test/service/service-kit.ts'
import { wavBytes } from '#test/service/sound.ts'

const webm = readFileSync(join(speechFixture, 'session-start.webm'))
const wav = readFileSync(join(speechFixture, 'session.wav'))

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(sound: AsyncIterable<Float32Array>): Promise<Float32Array> {
  const parts: number[] = []
  for await (const part of sound) for (const sample of part) parts.push(sample)
  return Float32Array.from(parts)
}

/** Loudness of each 10 ms. */
function loudness(sound: Float32Array): number[] {
  const frames: number[] = []
  for (let at = 0; at + 160 <= sound.length; at += 160)
    frames.push(Math.sqrt(sound.subarray(at, at + 160).reduce((sum, value) => sum + value * value, 0)))
  return frames
}

function likeness(left: readonly number[], right: readonly number[]): number {
  const count = Math.min(left.length, right.length)
  const mean = (values: readonly number[]) => values.slice(0, count).reduce((sum, value) => sum + value, 0) / count
  const [a, b] = [mean(left), mean(right)]
  let [both, one, other] = [0, 0, 0]
  for (let index = 0; index < count; index += 1) {
    both += (left[index]! - a) * (right[index]! - b)
    one += (left[index]! - a) ** 2
    other += (right[index]! - b) ** 2
  }
  return both / Math.sqrt(one * other)
}

/** `later`: how much of `heard` comes before the sound itself begins. */
function bestLikeness(heard: readonly number[], spoken: readonly number[]): number {
  return Math.max(...Array.from({ length: 60 }, (_, shift) => likeness(heard.slice(shift), spoken)))
}

test('what a browser recorded as WebM is the sound it was made of, however its bytes come', async () => {
  const whole = await collect(decodeWebmOpus(chunks(webm, webm.length)))
  expect(whole.length / 16_000).toBeGreaterThan(5.5)
  expect(whole.length / 16_000).toBeLessThan(6.5)
  expect(bestLikeness(loudness(whole), loudness(await collect(decodeWav(wav))).slice(0, 540))).toBeGreaterThan(0.95)
  for (const size of [1021, 7]) expect(await collect(decodeWebmOpus(chunks(webm, size)))).toEqual(whole)
})

test('where part of a WebM file is missing it is silent for as long, and all after it stays in place', async () => {
  const whole = await collect(decodeWebmOpus(chunks(webm, 4096)))
  const damaged = Buffer.from(webm)
  // A stretch of blocks in the middle under the id of Void (RFC 9559, 5.1: EBML Void), lengths untouched.
  let voided = 0
  for await (const block of placesOfBlocks(webm)) {
    if (block.index >= 40 && block.index < 60) {
      damaged[block.at] = 0xec
      voided += 1
    }
  }
  expect(voided).toBe(20)
  const sound = await collect(decodeWebmOpus(chunks(damaged, 4096)))
  expect(Math.abs(sound.length - whole.length)).toBeLessThan(1600)
  const tail = Math.floor(whole.length * 0.75)
  expect(bestLikeness(loudness(sound.subarray(tail)), loudness(whole.subarray(tail)))).toBeGreaterThan(0.95)
})

test('bytes that are no WebM are refused, and never read past', async () => {
  await expect(collect(decodeWebmOpus(chunks(Buffer.alloc(5000), 100)))).rejects.toMatchObject({ code: 'unsupported-media' })
  await expect(collect(decodeWebmOpus(chunks(webm.subarray(0, 60), 100)))).rejects.toMatchObject({ code: 'unsupported-media' })
  const cut = await collect(decodeWebmOpus(chunks(webm.subarray(0, webm.length / 2), 100)))
  expect(cut.length / 16_000).toBeGreaterThan(2)
})

test('a long WAV file is decoded as it comes, to the same samples, at any rate', async () => {
  const samples = Int16Array.from({ length: 30_000 }, (_, index) => Math.sin(index / 7) * 9000 + Math.sin(index / 50) * 9000)
  for (const rate of [16_000, 44_100, 8000]) {
    const file = wavBytes(samples)
    file.writeUInt32LE(rate, 24)
    const whole = await collect(decodeWav(file))
    expect(whole.length).toBe(Math.floor((samples.length * 16_000) / rate))
    for (const size of [97, 4096]) expect(await collect(decodeWavStream(chunks(file, size)))).toEqual(whole)
  }
})

/** Simple blocks, by their place in the file: the id's byte. */
async function* placesOfBlocks(file: Buffer): AsyncGenerator<{ index: number; at: number }> {
  let index = 0
  for await (const part of readWebm(chunks(file, file.length))) {
    if (!('at' in part)) continue
    const content = file.indexOf(Buffer.from(part.bytes), 0)
    // Track, time and flags are four bytes, before them the length of one or two, before that the id.
    const at = file[content - 6] === 0xa3 ? content - 6 : content - 7
    if (file[at] === 0xa3) yield { index, at }
    index += 1
  }
}
