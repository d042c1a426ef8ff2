import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { AppError } from '#contract/errors.ts'
import type { Gap } from '#contract/model/recording.ts'
import type { VaultKeys } from '#core/vault/vault-keys.ts'
import { type AudioPiece, pieceBytes, planPieces } from './audio-pieces.ts'
import type { OggFile, OpenRecordingFile } from './ogg-mux.ts'
import { indexOgg, oggBytes } from './ogg-mux.ts'
import type { RecordingFiles } from './recording-files.ts'
import { unlockRecording } from './recording-files.ts'
import type { RecordingRepository, RecordingRow } from './recording-repository.ts'

/** Recordings as Ogg Opus. Sound lost to damage is silence of the same length, so that every time stays true. */
export interface RecordingAudio {
  /** `sha256` is null while it is not finished, and where damage has changed what was finished. */
  stat(recordingId: string): Promise<{ bytes: number; sha256: string | null; session_id: string } | null>
  /**
   * Bytes from `start` to before `end`; each is authenticated before it is given out.
   *
   * @throws AppError `not-found`, `gone`, `recording-damaged`
   */
  read(recordingId: string, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** The same recordings in pieces, for services that take sound only along with what is asked of it. */
export interface PieceReader {
  /** @throws AppError `not-found`, `gone`, `recording-damaged` */
  pieces(recordingId: string, limitBytes: number): Promise<readonly AudioPiece[]>
  /** Its bytes, which the caller zeroes. Throws as `pieces` does. */
  piece(recordingId: string, piece: AudioPiece): Promise<Buffer>
}

export interface MeasuredOgg {
  readonly ogg: OggFile
  readonly sha256: string
}

export interface RecordingReader extends RecordingAudio, PieceReader {
  index(row: RecordingRow): Promise<OggFile>
  /** Makes the whole Ogg file once, for its length and hash. */
  measure(row: RecordingRow): Promise<MeasuredOgg>
  forget(recordingId: string): void
}

/** Recordings whose index is kept: the one being listened to and a few before. An hour's index is about 2 MB. */
const MOST_KEPT = 3
const PAGES_BETWEEN_YIELDS = 50

export function createRecordingAudio(ports: {
  repository: RecordingRepository
  files: RecordingFiles
  keys: VaultKeys
}): RecordingReader {
  const { repository, files, keys } = ports
  const withSource = <Result>(
    row: RecordingRow,
    work: (source: OpenRecordingFile, size: number) => Promise<Result>,
  ): Promise<Result> => readSource(openSource(files, keys, row), work)

  const { index, forget } = keepIndexes((row) => withSource(row, indexOgg))

  function existing(recordingId: string): RecordingRow {
    const row = repository.find(recordingId)
    if (row === null) throw new AppError('not-found')
    if (row.state === 'erased') throw new AppError('gone')
    return row
  }

  return {
    index,
    forget,

    measure: (row) => withSource(row, measureOgg),

    async stat(recordingId) {
      const row = repository.find(recordingId)
      if (row === null || row.state === 'erased') return null
      const { bytes, index: found } = await index(row)
      const isAsFinished = bytes === row.ogg_bytes && found.damaged_ms === damageOf(JSON.parse(row.gaps) as Gap[])
      return { bytes, sha256: isAsFinished ? row.ogg_sha256 : null, session_id: row.session_id }
    },

    pieces: async (recordingId, limitBytes) => planPieces((await index(existing(recordingId))).index, limitBytes),

    async piece(recordingId, piece) {
      const row = existing(recordingId)
      const ogg = await index(row)
      return withSource(row, async (source) => pieceBytes(source, ogg, piece))
    },

    async *read(recordingId, start = 0, end = Number.POSITIVE_INFINITY) {
      const row = existing(recordingId)
      const ogg = await index(row)
      const source = openSource(files, keys, row)
      try {
        yield* oggBytes(source, ogg, start, Math.min(end, ogg.bytes))
      } finally {
        closeSource(source)
      }
    },
  }
}

function keepIndexes(make: (row: RecordingRow) => Promise<OggFile>) {
  const kept = new Map<string, Promise<OggFile>>()
  return { index, forget: (recordingId: string): void => void kept.delete(recordingId) }

  function index(row: RecordingRow): Promise<OggFile> {
    const known = kept.get(row.id)
    if (known !== undefined) return known
    const made = make(row)
    // Only a finished recording stays as it is.
    if (row.state === 'finished') remember(row.id, made)
    return made
  }

  function remember(recordingId: string, made: Promise<OggFile>): void {
    kept.set(recordingId, made)
    made.catch(() => kept.delete(recordingId))
    const oldest = kept.keys().next().value
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  }
}

async function measureOgg(source: OpenRecordingFile, size: number): Promise<MeasuredOgg> {
  const ogg = await indexOgg(source, size)
  const hash = createHash('sha256')
  let pages = 0
  for (const bytes of oggBytes(source, ogg, 0, ogg.bytes)) {
    hash.update(bytes)
    pages += 1
    if (pages % PAGES_BETWEEN_YIELDS === 0) await yieldToOthers()
  }
  return { ogg, sha256: hash.digest('hex') }
}

function damageOf(gaps: readonly Gap[]): number {
  return gaps.filter(({ reason }) => reason === 'damage').reduce((sum, { duration_ms }) => sum + duration_ms, 0)
}

function openSource(files: RecordingFiles, keys: VaultKeys, row: RecordingRow): OpenRecordingFile {
  if (!existsSync(files.path(row.id))) throw new AppError('recording-damaged')
  const { key, format } = unlockRecording(files, keys, row)
  return { file: openSync(files.path(row.id), 'r'), recordingId: row.id, key, format }
}

async function readSource<Result>(
  source: OpenRecordingFile,
  work: (source: OpenRecordingFile, size: number) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(source, fstatSync(source.file).size)
  } finally {
    closeSource(source)
  }
}

function closeSource(source: OpenRecordingFile): void {
  closeSync(source.file)
  source.key.fill(0)
}
