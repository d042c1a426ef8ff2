import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Clock } from '#base/clock.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import { AppError } from '#contract/errors.ts'
import type { Gap, GapReason } from '#contract/model/recording.ts'
import type { RecordHeader } from './format.ts'
import { encodeAudio, encodeFinal, encodeGap, encodeRecord, idBytes, msToUnits, unitsToMs } from './format.ts'
import { splitPackets } from './opus-packets.ts'
import { damageGap, recoverEnd } from './recover-end.ts'

/**
 * Room is taken in steps ahead of the end, as zeros: a full disk is met before a record is half written, and a sync
 * need not write the file's new length each time.
 */
const STEP_BYTES = 512 * 1024
/**
 * Kept back from sound: on a full disk the final record goes there, and closing the file gives the rest to the
 * database, which must still store that the recording is finished.
 */
const CLOSING_BYTES = 256 * 1024
/** How far back a resent record is compared with what is on disk under its number. */
const REMEMBERED_RECORDS = 256
/** The same gap told again within this time was told, and the answer was lost. */
const TOLD_AGAIN_MS = 3000

export interface AudioRecord {
  readonly sequence: number
  readonly packets: Uint8Array
  readonly peak: number
  readonly rms: number
}

/** What a test may put in the way of the disk. */
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
  /** How much sound was acknowledged: an end that the file no longer has is damage, and the recording continues behind it. */
  readonly savedMs?: number
}

/** One recording that is being written: everything up to `#end` is on disk, synced and authentic. */
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
  /** Null until this process has written a record: then only wall time is known. */
  #lastElapsed: number | null = null
  /** When sound was last written, on both clocks, and how much of the time since is told by gaps. */
  #sound: { wall: number; elapsed: number | null }
  #gapMs: number
  /** Of the last record, where that is a gap. */
  #lastGap: GapReason | null

  /** @throws AppError `recording-damaged` where nothing in the file authenticates, `disk-failed` */
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
      this.#lastWall = found.last_wall ?? Math.round(fstatSync(this.#file).mtimeMs)
      this.#sound = { wall: found.sound_wall ?? this.#lastWall, elapsed: null }
      this.#gapMs = found.gap_ms + unitsToMs(lost)
      this.#lastGap = found.last_gap
      for (const [sequence, check] of found.recent) this.#recent.set(sequence, check)
      this.#roomEnd = this.#end
      guarded(() => this.#cutBack())
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
      /** Monotonic time since the last record; null where this process has written none yet. */
      idle_ms: this.#lastElapsed === null ? null : this.#clock.elapsed() - this.#lastElapsed,
    }
  }

  /** Returns once the record is synced. A record that is there already is left as it is. */
  append(record: AudioRecord): void {
    const { packets, units } = splitPackets(record.packets)
    const check = crc32(record.packets)
    if (record.sequence < this.#sequence) {
      // The same number with other sound: another window has written in between, this one must ask where it stands.
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

  /** @param durationMs null: measured, from the last sound to now, less the gaps told since */
  gap(reason: GapReason, durationMs: number | null): void {
    const duration_ms = Math.min(durationMs ?? this.#untoldSilence(), 0xffff_ffff)
    this.#write('gap', 0, encodeGap({ reason, at: this.#clock.now(), duration_ms }), 0)
    this.#gapMs += duration_ms
    this.#lastGap = duration_ms > 0 ? reason : null
    if (duration_ms > 0) this.#gaps.push({ at_ms: unitsToMs(this.#position), duration_ms, reason })
  }

  /** This gap is the last thing on disk, and fresh. What passed since is told with the next one. */
  hasJustTold(reason: GapReason): boolean {
    const since = this.#lastElapsed === null ? this.#clock.now() - this.#lastWall : this.#clock.elapsed() - this.#lastElapsed
    return this.#lastGap === reason && since >= 0 && since < TOLD_AGAIN_MS
  }

  /** Says that nothing was cut off. */
  finish(): void {
    if (!this.#isFinal) this.#write('final', 0, encodeFinal(this.#clock.now()), 0)
  }

  close(): void {
    try {
      guarded(() => this.#cutBack())
    } finally {
      closeSync(this.#file)
      this.#key.fill(0)
    }
  }

  #write(kind: RecordHeader['kind'], units: number, plain: Uint8Array, keepFree: number): void {
    const header = { kind, units, sequence: this.#sequence, position: this.#position }
    const record = encodeRecord(this.#key, this.#id, header, plain)
    this.#takeRoom(record.length + keepFree)
    try {
      this.#disk.write(this.#file, record, this.#end)
      this.#disk.sync(this.#file)
    } catch (error) {
      // After a failed sync the page cache may hold what the disk does not: the record is not taken as written, and
      // the next try writes it again in the same place.
      this.#tryCutBack()
      throw diskError(error)
    }
    this.#end += record.length
    // A recording may be resumed behind a final record: the finish was cut off before anybody was told.
    this.#isFinal = kind === 'final'
    this.#lastWall = this.#clock.now()
    this.#lastElapsed = this.#clock.elapsed()
  }

  /** @throws AppError `disk-full` while there is still room for closing the recording */
  #takeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#roomEnd) return
    const from = Math.max(this.#roomEnd, this.#end)
    try {
      this.#disk.write(this.#file, Buffer.alloc(STEP_BYTES), from)
      this.#disk.sync(this.#file)
      this.#roomEnd = from + STEP_BYTES
    } catch (error) {
      // What a nearly full disk did take is room as well; the rest of the step may have been cut short anywhere.
      this.#roomEnd = Math.max(this.#roomEnd, Math.min(fstatSync(this.#file).size, from + STEP_BYTES))
      if (this.#end + bytes > this.#roomEnd) throw diskError(error)
    }
  }

  /** A pause may be told late, as when the records are locked: what counts is when the sound ended. */
  #untoldSilence(): number {
    const { wall, elapsed } = this.#sound
    const silence = elapsed === null ? this.#clock.now() - wall : this.#clock.elapsed() - elapsed
    return Math.max(0, Math.round(silence) - this.#gapMs)
  }

  #cutBack(): void {
    ftruncateSync(this.#file, this.#end)
    this.#disk.sync(this.#file)
    this.#roomEnd = this.#end
  }

  /** A torn write must not stand before the next record. Where even cutting fails, the next write covers it. */
  #tryCutBack(): void {
    try {
      this.#cutBack()
    } catch {
      this.#roomEnd = this.#end // the disk is failing: the caller is told so by the write's own error
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
