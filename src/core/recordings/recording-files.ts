import {
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { AppError } from '#contract/errors.ts'
import { isFile, replaceFile, syncFolder, withFile, writeSynced } from '#base/durable-file.ts'
import { filesBelow, isPacked, isZip, unpack } from '#base/stray-files.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import { decodeFileHeader, encodeFileHeader, FILE_HEADER_BYTES, type FileHeader } from './format.ts'
import { readAt } from './record-scan.ts'
import type { RecordingRow } from './recording-repository.ts'

const EXTENSION = '.afr'

export type RecordingFiles = ReturnType<typeof recordingFiles>

export function recordingFiles(folder: string, extension = EXTENSION) {
  const path = (recordingId: string): string => join(folder, `${recordingId}${extension}`)
  const has = (recordingId: string): boolean => isFile(path(recordingId))
  const headerAt = (recordingId: string): Buffer => withFile(path(recordingId), 'r', (file) => readAt(file, 0, FILE_HEADER_BYTES))
  return {
    path,
    has,
    facts(recordingId: string): { readonly size: number; readonly changed_ms: number } | null {
      const found = statSync(path(recordingId), { throwIfNoEntry: false })
      return found?.isFile() === true ? { size: found.size, changed_ms: found.ctimeMs } : null
    },
    list: (): string[] =>
      (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
        .filter((entry) => entry.name.endsWith(extension) && entry.isFile())
        .map(({ name }) => name.slice(0, -extension.length)),
    /**
     * Finds this profile's recordings that are compressed, are in another folder, or have another extension, and stores them as
     * `<id>.afr`. Another file that already has that name stays, unless it is only the beginning of an uncompressed file that
     * was found.
     * @param isOneMissing if true, files with other names in the other folders of the profile are read too
     * @param isOwn true if the recording belongs to this profile
     * @returns ids of the recordings that were stored
     */
    collectStrays: (isOneMissing: boolean, isOwn: (header: Buffer) => boolean): string[] =>
      collectStrays(straysIn(folder, isOneMissing), folder, path, isOwn),
    create(recordingId: string, header: Buffer): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeSynced(path(recordingId), header, 'wx')
      syncFolder(folder)
    },
    rename(from: string, to: string): void {
      if (existsSync(path(to))) throw new AppError('already-exists')
      renameSync(path(from), path(to))
      syncFolder(folder)
    },
    header: (recordingId: string): Buffer | null => (has(recordingId) ? headerAt(recordingId) : null),
    restoreHeader(recordingId: string, header: Buffer): void {
      const found = headerAt(recordingId)
      if (!isPacked(found) && !isZip(found)) overwrite(path(recordingId), header)
    },
    /**
     * Overwrites the start of the file and of its compressed original (`.gz`) before deleting both, because the header has the
     * wrapped key.
     */
    shred(recordingId: string): void {
      const files = [path(recordingId), `${path(recordingId)}.gz`].filter(isFile)
      for (const file of files) {
        overwrite(file, Buffer.alloc(FILE_HEADER_BYTES))
        unlinkSync(file)
      }
      if (files.length > 0) syncFolder(folder)
    },
    read: <Result>(recordingId: string, work: (file: number, size: number) => Result): Result =>
      withFile(path(recordingId), 'r', (file) => work(file, fstatSync(file).size)),
  }
}

function collectStrays(
  strays: readonly string[],
  folder: string,
  pathOf: (id: string) => string,
  isOwn: (header: Buffer) => boolean,
): string[] {
  const collected: string[] = []
  for (const stray of strays) {
    const { header, isPacked: isCompressed } = headerIn(stray)
    const named = decodeFileHeader(header)?.recording_id
    if (named === undefined || !isOwn(header)) continue
    const isTaken = isFile(pathOf(named)) && stray !== pathOf(named)
    if (isTaken && (isCompressed || !isWholeOf(stray, pathOf(named)))) continue
    const waiting = join(folder, `${named}.stray`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isCompressed) renameSync(stray, waiting)
    else if (!unpackTo(stray, waiting)) continue
    if (existsSync(pathOf(named))) renameSync(pathOf(named), freeName(`${pathOf(named)}.${isTaken ? 'cut' : 'folder'}`))
    renameSync(waiting, pathOf(named))
    collected.push(named)
  }
  if (collected.length > 0) syncFolder(folder)
  return collected
}

function straysIn(folder: string, isOneMissing: boolean): string[] {
  const within = filesBelow(folder).filter((path) => !isInPlace(folder, path) || headerIn(path).isPacked)
  // Files beside the databases are read only if named like a recording: to read a database here would drop SQLite's locks.
  const isRead = (path: string): boolean =>
    anyExtension.test(basename(path)) || (isOneMissing && dirname(path) !== dirname(folder))
  const beside = filesBelow(dirname(folder)).filter((path) => !path.startsWith(folder + sep) && isRead(path))
  return [...within, ...beside]
}

const anyExtension = /\.afr/i
const isInPlace = (folder: string, path: string): boolean => dirname(path) === folder && path.endsWith(EXTENSION)

const COMPARED_BYTES = 1_048_576

const isWholeOf = (path: string, cutOff: string): boolean =>
  withFile(path, 'r', (file) =>
    withFile(cutOff, 'r', (cut) => {
      const size = fstatSync(cut).size
      for (let at = 0; at < size; at += COMPARED_BYTES) {
        const bytes = readAt(cut, at, COMPARED_BYTES)
        if (!bytes.equals(readAt(file, at, bytes.length))) return false
      }
      return readAt(file, size, COMPARED_BYTES).some((byte) => byte !== 0)
    }),
  )

const PACKED_BYTES = 65_536

function headerIn(path: string): { readonly header: Buffer; readonly isPacked: boolean } {
  try {
    return withFile(path, 'r', (file) => {
      const header = readAt(file, 0, FILE_HEADER_BYTES)
      if (!isPacked(header)) return { header, isPacked: false }
      return { header: (unpack(readAt(file, 0, PACKED_BYTES)) ?? header).subarray(0, FILE_HEADER_BYTES), isPacked: true }
    })
  } catch {
    return { header: Buffer.alloc(0), isPacked: false }
  }
}

function unpackTo(path: string, to: string): boolean {
  const bytes = unpack(readFileSync(path))
  if (bytes === null) return false
  replaceFile(to, bytes)
  if (path.endsWith(EXTENSION)) renameSync(path, freeName(`${path}.gz`))
  return true
}

function freeName(name: string): string {
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name}-${count}`
    if (!existsSync(tried)) return tried
  }
}

function overwrite(path: string, header: Buffer): void {
  withFile(path, 'r+', (file) => {
    writeSync(file, header, 0, header.length, 0)
    fsyncSync(file)
  })
}

const contextOf = (recordingId: string): string => `recording/${recordingId}`

export function newHeader(keys: VaultKeys, key: Uint8Array, header: Omit<FileHeader, 'wrapped_key'>): Buffer {
  return encodeFileHeader({ ...header, wrapped_key: keys.wrap(key, contextOf(header.recording_id)) })
}

/** True if this profile can unwrap the header's key; null if the header is damaged or has no key. */
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

/** Uses the header in the database, or else the header in the file. The caller zeroes the key. */
export function unlockRecording(files: RecordingFiles, keys: VaultKeys, row: Pick<RecordingRow, 'id' | 'state' | 'header'>) {
  if (row.state === 'erased') throw new AppError('gone')
  for (const bytes of [row.header, files.header(row.id)]) {
    const header = bytes === null ? null : decodeFileHeader(Buffer.from(bytes))
    if (header === null || header.wrapped_key === null || header.recording_id !== row.id) continue
    return { key: keys.unwrap(header.wrapped_key, contextOf(row.id)), format: header.format }
  }
  throw new AppError('recording-damaged')
}

export const RESERVED_BYTES = 32 * 1024 * 1024
const HOUR_BYTES = 13_500_000

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(existsSync(folder) ? folder : dirname(folder))
  return bavail * bsize
}

export const hoursIn = (bytes: number): number => Math.floor((bytes / HOUR_BYTES) * 10) / 10
