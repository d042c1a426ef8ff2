import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncFolder, writeAll } from '#base/durable-file.ts'
import { AppError } from '#contract/errors.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import type { FileHeader } from './format.ts'
import { FILE_HEADER_BYTES, decodeFileHeader, encodeFileHeader } from './format.ts'
import { readAt } from './record-scan.ts'
import type { RecordingRow } from './recording-repository.ts'

const EXTENSION = '.afr'

/** The folder of recording files. */
export interface RecordingFiles {
  path(recordingId: string): string
  has(recordingId: string): boolean
  /** Size, and when the file was last changed in any way; null where there is no file. */
  facts(recordingId: string): { readonly size: number; readonly changed_ms: number } | null
  /** Ids of the files that are there. */
  list(): string[]
  /** A new file with its header, durable with its name. */
  create(recordingId: string, header: Buffer): void
  /** Not over another file. */
  rename(from: string, to: string): void
  header(recordingId: string): Buffer | null
  /** Puts the database's copy of the header in the place of a damaged one. */
  mendHeader(recordingId: string, header: Buffer): void
  /** Overwrites the wrapped key, syncs, and only then removes the file. */
  shred(recordingId: string): void
  read<Result>(recordingId: string, work: (file: number, size: number) => Result): Result
}

export function recordingFiles(folder: string): RecordingFiles {
  const path = (recordingId: string): string => join(folder, `${recordingId}${EXTENSION}`)
  return {
    path,
    has: (recordingId) => existsSync(path(recordingId)),
    facts(recordingId) {
      const found = statSync(path(recordingId), { throwIfNoEntry: false })
      return found === undefined ? null : { size: found.size, changed_ms: found.ctimeMs }
    },
    list: () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .filter((name) => name.endsWith(EXTENSION))
        .map((name) => name.slice(0, -EXTENSION.length)),
    create(recordingId, header) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      withFile(path(recordingId), 'wx', (file) => {
        writeAll(file, header)
        fsyncSync(file)
      })
      syncFolder(folder)
    },
    rename(from, to) {
      if (existsSync(path(to))) throw new AppError('already-exists')
      renameSync(path(from), path(to))
      syncFolder(folder)
    },
    header: (recordingId) =>
      existsSync(path(recordingId)) ? withFile(path(recordingId), 'r', (file) => readAt(file, 0, FILE_HEADER_BYTES)) : null,
    mendHeader(recordingId, header) {
      overwrite(path(recordingId), header)
    },
    shred(recordingId) {
      if (!existsSync(path(recordingId))) return
      overwrite(path(recordingId), Buffer.alloc(FILE_HEADER_BYTES))
      unlinkSync(path(recordingId))
      syncFolder(folder)
    },
    read: (recordingId, work) => withFile(path(recordingId), 'r', (file) => work(file, fstatSync(file).size)),
  }
}

function overwrite(path: string, header: Buffer): void {
  withFile(path, 'r+', (file) => {
    writeSync(file, header, 0, header.length, 0)
    fsyncSync(file)
  })
}

function withFile<Result>(path: string, flags: string, work: (file: number) => Result): Result {
  const file = openSync(path, flags, 0o600)
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

const contextOf = (recordingId: string): string => `recording/${recordingId}`

/** Header of a new recording, with its key wrapped for this place alone. */
export function newHeader(keys: VaultKeys, key: Uint8Array, header: Omit<FileHeader, 'wrapped_key'>): Buffer {
  return encodeFileHeader({ ...header, wrapped_key: keys.wrap(key, contextOf(header.recording_id)) })
}

/** Whether the key in the header of a file opens in this profile; null where there is no key to try. */
export function isOwnHeader(keys: VaultKeys, bytes: Buffer | null): boolean | null {
  const header = bytes === null ? null : decodeFileHeader(bytes)
  if (header === null || header.wrapped_key === null) return null
  try {
    keys.unwrap(header.wrapped_key, contextOf(header.recording_id)).fill(0)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'database-damaged') return false
    throw error
  }
}

/**
 * Format and key of a recording, from the database's header or else the file's own. The caller zeroes the key.
 *
 * @throws AppError `gone` after erasure, `recording-damaged` where neither header is whole
 */
export function unlockRecording(files: RecordingFiles, keys: VaultKeys, row: Pick<RecordingRow, 'id' | 'state' | 'header'>) {
  if (row.state === 'erased') throw new AppError('gone')
  for (const bytes of [row.header, files.header(row.id)]) {
    const header = bytes === null ? null : decodeFileHeader(Buffer.from(bytes))
    if (header === null || header.wrapped_key === null || header.recording_id !== row.id) continue
    return { key: keys.unwrap(header.wrapped_key, contextOf(row.id)), format: header.format }
  }
  throw new AppError('recording-damaged')
}
