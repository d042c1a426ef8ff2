import { closeSync, fstatSync, openSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { AppError } from '#contract/errors.ts'
import type { Gap } from '#contract/model/recording.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import { type AudioPiece, pieceBytes, planPieces } from './audio-pieces.ts'
import { indexOgg, oggBytes, type OggFile, type OpenRecordingFile } from './ogg-mux.ts'
import { msToUnits } from './format.ts'
import { type RecordingFiles, unlockRecording } from './recording-files.ts'
import type { IndexOptions } from './recording-index.ts'
import { damageIn, unreadableMs, wholeLost, type RecordingRow } from './recording-repository.ts'
import type { RecordingContext } from './recordings.ts'

/** Recordings as Ogg Opus. Silent packets of 20 ms replace damaged sound. */
export interface RecordingAudio {
  /**
   * Null if the recording does not exist or was erased. `sha256` is null if no hash is stored or later damage changed the
   * audio.
   */
  stat(recordingId: string): Promise<{ bytes: number; sha256: string | null; session_id: string } | null>
  /** Authenticates each record before it returns the record's audio. `end` is exclusive. */
  read(recordingId: string, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** Splits recordings for services that receive the audio in the transcription request. */
export interface PieceReader {
  pieces(recordingId: string, limitBytes: number): Promise<readonly AudioPiece[]>
  /** The caller zeroes the result. */
  piece(recordingId: string, piece: AudioPiece): Promise<Buffer>
}

export interface RecordingReader extends RecordingAudio, PieceReader {
  index(row: RecordingRow): Promise<OggFile>
  check(row: RecordingRow, rest: () => Promise<unknown>): Promise<void>
  measure(row: RecordingRow): ReturnType<typeof measureOgg>
  forget(recordingId: string): void
}

const MAX_CACHED = 3
const PAGES_BETWEEN_YIELDS = 50

type AudioPorts = Pick<RecordingContext, 'repository' | 'files' | 'keys'> & {
  onChecked(row: RecordingRow, damage: readonly Gap[]): void
}

export function createRecordingAudio(ports: AudioPorts): RecordingReader {
  const { repository, files, keys } = ports
  const { withSource, readWhole } = sourceReader(ports)
  const { index, forget } = keepIndexes(readWhole)
  return {
    index,
    forget,

    async check(row, rest) {
      forget(row.id)
      try {
        await readWhole(row, rest)
      } catch (error) {
        if (!isUnreadable(error)) throw error
      }
    },

    measure: (row) => withSource(row, (source, size) => measureOgg(source, size, whole(row))),

    async stat(recordingId) {
      const row = repository.find(recordingId)
      if (row === null || row.state === 'erased') return null
      const { bytes, index: found } = await index(row)
      const isAsFinished = bytes === row.ogg_bytes && found.damaged_ms === unreadableMs(JSON.parse(row.gaps) as Gap[])
      return { bytes, sha256: isAsFinished ? row.ogg_sha256 : null, session_id: row.session_id }
    },

    pieces: async (recordingId, limitBytes) => planPieces((await index(repository.existing(recordingId))).index, limitBytes),

    async piece(recordingId, piece) {
      const row = repository.existing(recordingId)
      const ogg = await index(row)
      return withSource(row, async (source) => pieceBytes(source, ogg, piece))
    },

    async *read(recordingId, start = 0, end = Number.POSITIVE_INFINITY) {
      const row = repository.existing(recordingId)
      const ogg = await index(row)
      try {
        using source = openSource(files, keys, row)
        yield* oggBytes(source, ogg, start, Math.min(end, ogg.bytes))
      } catch (error) {
        // The file may have been damaged since it was indexed. Indexing again reports the damage.
        forget(recordingId)
        await index(row).catch(() => {})
        throw error
      }
    },
  }
}

type SourceWork<Result> = (source: OpenRecordingFile, size: number) => Promise<Result>

function sourceReader({ files, keys, onChecked }: AudioPorts) {
  async function withSource<Result>(row: RecordingRow, work: SourceWork<Result>): Promise<Result> {
    using source = openSource(files, keys, row)
    return await work(source, fstatSync(source.file).size)
  }

  async function readWhole(row: RecordingRow, rest?: () => Promise<unknown>): Promise<OggFile> {
    try {
      const ogg = await withSource(row, (source, size) => indexOgg(source, size, { ...whole(row), ...(rest && { rest }) }))
      if (row.saved_ms > 0 && ogg.index.records.every(({ units }) => units === 0)) throw new AppError('recording-damaged')
      onChecked(row, damageIn(ogg.index.gaps))
      return ogg
    } catch (error) {
      if (isUnreadable(error)) onChecked(row, [wholeLost(row)])
      throw error
    }
  }

  return { withSource, readWhole }
}

function keepIndexes(make: (row: RecordingRow) => Promise<OggFile>) {
  const kept = new Map<string, Promise<OggFile>>()
  return { index, forget: (recordingId: string): void => void kept.delete(recordingId) }

  function index(row: RecordingRow): Promise<OggFile> {
    const known = kept.get(row.id)
    if (known !== undefined) return known
    const made = make(row)
    if (row.state === 'finished') remember(row.id, made)
    return made
  }

  function remember(recordingId: string, made: Promise<OggFile>): void {
    kept.set(recordingId, made)
    made.catch(() => kept.delete(recordingId))
    const oldest = kept.keys().next().value
    if (kept.size > MAX_CACHED && oldest !== undefined) kept.delete(oldest)
  }
}

async function measureOgg(source: OpenRecordingFile, size: number, options: IndexOptions) {
  const ogg = await indexOgg(source, size, options)
  const hash = createHash('sha256')
  let pages = 0
  for (const bytes of oggBytes(source, ogg, 0, ogg.bytes)) {
    hash.update(bytes)
    pages += 1
    if (pages % PAGES_BETWEEN_YIELDS === 0) await yieldToOthers()
  }
  return { ogg, sha256: hash.digest('hex') }
}

const whole = (row: RecordingRow): IndexOptions => ({ least_units: msToUnits(row.saved_ms) })

export function isUnreadable(error: unknown): boolean {
  return error instanceof AppError ? error.code === 'recording-damaged' : (error as { code?: unknown }).code === 'EIO'
}

export function openSource(
  files: RecordingFiles,
  keys: VaultKeys,
  row: Pick<RecordingRow, 'id' | 'state' | 'header'>,
): OpenRecordingFile & Disposable {
  if (!files.has(row.id)) throw new AppError('recording-damaged')
  const { key, format } = unlockRecording(files, keys, row)
  const file = openSync(files.path(row.id), 'r')
  const close = (): void => {
    closeSync(file)
    key.fill(0)
  }
  return { file, recordingId: row.id, key, format, [Symbol.dispose]: close }
}
