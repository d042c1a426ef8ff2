import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Clock } from '#base/clock.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import { AppError } from '#contract/errors.ts'
import type { Gap, GapReason } from '#contract/model/recording.ts'
import { encodeAudio, encodeFinal, encodeGap, encodeRecord, idBytes, msToUnits, type RecordHeader, unitsToMs } from './format.ts'
import { splitPackets } from './opus-packets.ts'
import { damageGap, recoverEnd } from './record-scan.ts'

/** The file grows by this many zero bytes at a time, so that a sync rarely has to update the file's length. */
const STEP_BYTES = 512 * 1024
/** Audio records leave this much room, so that gap and final records still fit when the disk is full. */
const CLOSING_BYTES = 256 * 1024
const REMEMBERED_RECORDS = 256
/** A repeat of the last gap within this time, while a window attaches, counts as a resend after a lost acknowledgment. */
const GAP_RESEND_MS = 3000

export interface AudioRecord {
  readonly sequence: number
  readonly packets: Uint8Array
  readonly peak: number
  readonly rms: number
}

export interface Disk {
  write(file: number, bytes: Uint8Array, offset: number): void
  sync(file: number): void
}

export const realDisk: Disk = {
  write(file, bytes, offset) {
    let written = 0
    while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, offset + written)
  },
  sync: fdatasyncSync,
}

interface AppendFileOptions {
  readonly path: string
  readonly recordingId: string
  readonly key: Uint8Array
  readonly clock: Clock
  readonly disk?: Disk
  /** Length of the acknowledged sound. If the file has less, the missing end becomes a gap with the reason `damage`. */
  readonly savedMs?: number
  /** When the last sound was written, in milliseconds since 1970; used if the file no longer says. */
  readonly lastWriteAt?: number
}

export class AppendFile {
  readonly #file: number
  readonly #id: Buffer
  readonly #key: Buffer
  readonly #clock: Clock
  readonly #disk: Disk
  readonly #recent = new Map<number, number>()
  readonly #gaps: Gap[]
  #end: number
  #roomEnd: number
  #sequence: number
  #position: number
  #isFinal: boolean
  #lastWall: number
  #lastElapsed: number | null = null
  #sound: { wall: number; elapsed: number | null }
  /** Milliseconds after the time in `#sound` that gaps already cover. */
  #gapMs: number
  #lastGap: GapReason | null

  constructor(options: AppendFileOptions) {
    this.#clock = options.clock
    this.#disk = options.disk ?? realDisk
    this.#id = idBytes(options.recordingId)
    this.#key = Buffer.from(options.key)
    this.#file = guarded(() => openSync(options.path, 'r+'))
    try {
      const found = recoverEnd(this.#file, fstatSync(this.#file).size, options.recordingId, this.#key, REMEMBERED_RECORDS)
      this.#end = found.end
      this.#sequence = found.sequence
      this.#position = found.position
      this.#isFinal = found.isFinal
      const lost = Math.max(0, msToUnits(options.savedMs ?? 0) - found.position)
      this.#gaps = lost > 0 ? [...found.gaps, damageGap(found.position, found.position + lost)] : found.gaps
      this.#position += lost
      this.#lastWall = found.last_wall ?? options.lastWriteAt ?? Math.round(fstatSync(this.#file).mtimeMs)
      this.#sound = { wall: found.sound_wall ?? this.#lastWall - unitsToMs(lost), elapsed: null }
      this.#gapMs = found.gap_ms + unitsToMs(lost)
      this.#lastGap = found.last_gap
      for (const [sequence, check] of found.recent) this.#recent.set(sequence, check)
      this.#roomEnd = this.#end
      guarded(() => this.#truncate())
    } catch (error) {
      closeSync(this.#file)
      this.#key.fill(0)
      throw error
    }
  }

  get durable(): Durable {
    return { next_sequence: this.#sequence, saved_ms: unitsToMs(this.#position) }
  }

  get state() {
    return {
      ...this.durable,
      bytes: this.#end,
      gaps: [...this.#gaps],
      is_final: this.#isFinal,
      last_write_at: this.#lastWall,
      idle_ms: this.#lastElapsed === null ? null : this.#clock.elapsed() - this.#lastElapsed,
    }
  }

  /**
   * Returns once the record is synced. A resent record is ignored.
   * @throws AppError `sequence-gap`, `validation-failed`, `disk-full`, `disk-failed`
   */
  append(record: AudioRecord): void {
    const { packets, units } = splitPackets(record.packets)
    const check = crc32(record.packets)
    if (record.sequence < this.#sequence) {
      // Another window wrote other sound with this number, so the caller must get the current sequence number.
      if ((this.#recent.get(record.sequence) ?? check) !== check) throw new AppError('sequence-gap')
      return
    }
    if (record.sequence > this.#sequence) throw new AppError('sequence-gap')
    const plain = encodeAudio({ peak: record.peak, rms: record.rms, at: this.#clock.now(), packets })
    this.#write('audio', units, plain, CLOSING_BYTES)
    this.#sequence += 1
    this.#position += units
    this.#sound = { wall: this.#lastWall, elapsed: this.#lastElapsed }
    this.#gapMs = 0
    this.#lastGap = null
    this.#recent.set(record.sequence, check)
    this.#recent.delete(record.sequence - REMEMBERED_RECORDS)
  }

  gap(reason: GapReason, durationMs: number | null): void {
    const duration_ms = Math.min(durationMs ?? this.#unrecordedSilence(), 0xffff_ffff)
    this.#write('gap', 0, encodeGap({ reason, at: this.#clock.now(), duration_ms }), 0)
    this.#gapMs += duration_ms
    this.#lastGap = duration_ms > 0 ? reason : null
    if (duration_ms > 0) this.#gaps.push({ at_ms: unitsToMs(this.#position), duration_ms, reason })
  }

  hasJustRecorded(reason: GapReason): boolean {
    const since = this.#lastElapsed === null ? this.#clock.now() - this.#lastWall : this.#clock.elapsed() - this.#lastElapsed
    return this.#lastGap === reason && since >= 0 && since < GAP_RESEND_MS
  }

  finish(): void {
    if (!this.#isFinal) this.#write('final', 0, encodeFinal(this.#clock.now()), 0)
  }

  close(): void {
    try {
      guarded(() => this.#truncate())
    } finally {
      closeSync(this.#file)
      this.#key.fill(0)
    }
  }

  #write(kind: RecordHeader['kind'], units: number, plain: Uint8Array, keepFree: number): void {
    const header = { kind, units, sequence: this.#sequence, position: this.#position }
    const record = encodeRecord(this.#key, this.#id, header, plain)
    this.#preallocate(record.length + keepFree)
    try {
      this.#disk.write(this.#file, record, this.#end)
      this.#disk.sync(this.#file)
    } catch (error) {
      // After a failed sync, the page cache may differ from the disk, so cut the record off. A retry writes it again at the
      // same offset.
      this.#tryTruncate()
      throw diskError(error)
    }
    this.#end += record.length
    this.#isFinal = kind === 'final'
    this.#lastWall = this.#clock.now()
    this.#lastElapsed = this.#clock.elapsed()
  }

  #preallocate(bytes: number): void {
    if (this.#end + bytes <= this.#roomEnd) return
    const from = Math.max(this.#roomEnd, this.#end)
    try {
      this.#disk.write(this.#file, Buffer.alloc(STEP_BYTES), from)
      this.#disk.sync(this.#file)
      this.#roomEnd = from + STEP_BYTES
    } catch (error) {
      this.#roomEnd = Math.max(this.#roomEnd, Math.min(fstatSync(this.#file).size, from + STEP_BYTES))
      if (this.#end + bytes > this.#roomEnd) throw diskError(error)
    }
  }

  #unrecordedSilence(): number {
    const { wall, elapsed } = this.#sound
    const silence = elapsed === null ? this.#clock.now() - wall : this.#clock.elapsed() - elapsed
    return Math.max(0, Math.round(silence) - this.#gapMs)
  }

  #truncate(): void {
    ftruncateSync(this.#file, this.#end)
    this.#disk.sync(this.#file)
    this.#roomEnd = this.#end
  }

  #tryTruncate(): void {
    try {
      this.#truncate()
    } catch {
      this.#roomEnd = this.#end
    }
  }
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw diskError(error)
  }
}

function diskError(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new AppError('disk-full', undefined, [], { cause: error })
  if (typeof code === 'string') return new AppError('disk-failed', undefined, [], { cause: error })
  return error
}
