import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { AudioFormat } from '#contract/model/recording.ts'
import { AppendFile } from '#core/recordings/append-file.ts'
import { encodeFileHeader } from '#core/recordings/format.ts'
import { indexOgg, oggBytes } from '#core/recordings/ogg-mux.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { type FoundRecord, scanRecords } from '#core/recordings/record-scan.ts'

export const format: AudioFormat = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 26_800, pre_skip: 312 }

export function heldClock(start = Date.UTC(2026, 10, 24, 14)): Clock & { pass(ms: number): void; jump(ms: number): void } {
  let wall = start
  let elapsed = 0
  return {
    now: () => wall,
    elapsed: () => elapsed,
    pass(ms) {
      wall += ms
      elapsed += ms
    },
    jump(ms) {
      wall += ms
    },
  }
}

/** @param whenDone when it goes: with the test that asks for it, or with all of a suite by `afterAll` */
export function scratchFolder(whenDone: (clean: () => void) => void = onTestFinished): string {
  const around = mkdtempSync(join(tmpdir(), 'afterword-recordings-'))
  whenDone(() => rmSync(around, { recursive: true, force: true }))
  const folder = join(around, 'recordings')
  mkdirSync(folder)
  return folder
}

/** A 20 ms Opus packet with content of its own: CELT fullband mono, code 0 (RFC 6716, 3.1). */
export function packet(content: number, length = 67): Buffer {
  const bytes = Buffer.alloc(length, content & 0xff)
  bytes[0] = 0xf8
  bytes.writeUInt32BE(content, 1)
  return bytes
}

/** The ten packets of the 200 ms record `sequence`. */
export const packetsOf = (sequence: number): Buffer[] => Array.from({ length: 10 }, (_, index) => packet(sequence * 10 + index))
export const recordOf = (sequence: number) => ({ sequence, packets: joinPackets(packetsOf(sequence)), peak: 0.5, rms: 0.1 })

export interface Scratch {
  readonly path: string
  readonly recordingId: string
  readonly key: Buffer
  readonly clock: ReturnType<typeof heldClock>
}

export function newRecordingFile(folder = scratchFolder()): Scratch {
  const recordingId = newId()
  const path = join(folder, `${recordingId}.afr`)
  const clock = heldClock()
  const header = { recording_id: recordingId, session_id: newId(), created_ms: clock.now(), format, wrapped_key: randomBytes(60) }
  writeFileSync(path, encodeFileHeader(header))
  return { path, recordingId, key: randomBytes(32), clock }
}

export const openAppend = (scratch: Scratch): AppendFile => new AppendFile(scratch)

/** A file with that many records of sound, closed as by a crash: no final record. */
export function recorded(records: number, folder = scratchFolder()): Scratch {
  const scratch = newRecordingFile(folder)
  const file = openAppend(scratch)
  for (let sequence = 0; sequence < records; sequence += 1) {
    file.append(recordOf(sequence))
    scratch.clock.pass(200)
  }
  file.close()
  return scratch
}

export function scan(scratch: Scratch, bytes: Buffer = readFileSync(scratch.path)): FoundRecord[] {
  writeFileSync(scratch.path, bytes)
  const file = openSync(scratch.path, 'r')
  try {
    return [...scanRecords(file, bytes.length, scratch.recordingId, scratch.key)]
  } finally {
    closeSync(file)
  }
}

export const playable = (scratch: Scratch, bytes?: Buffer): number[] =>
  scan(scratch, bytes)
    .filter(({ plain, header }) => plain !== null && header.kind === 'audio')
    .map(({ header }) => header.sequence)

export async function muxed(scratch: Scratch, start = 0, end = Number.POSITIVE_INFINITY) {
  const file = openSync(scratch.path, 'r')
  try {
    const source = { file, recordingId: scratch.recordingId, key: scratch.key, format }
    const ogg = await indexOgg(source, fstatSync(file).size)
    return { ogg, bytes: Buffer.concat([...oggBytes(source, ogg, start, Math.min(end, ogg.bytes))]) }
  } finally {
    closeSync(file)
  }
}
