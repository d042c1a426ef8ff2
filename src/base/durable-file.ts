import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '#contract/errors.ts'

export function replaceFile(path: string, content: Uint8Array | string): void {
  const temporary = `${path}.new`
  try {
    writeSynced(temporary, typeof content === 'string' ? Buffer.from(content) : content)
    rename(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

export function withFile<Result>(path: string, flags: string, work: (file: number) => Result): Result {
  const file = openSync(path, flags, 0o600)
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

export function writeSynced(path: string, bytes: Uint8Array, flags = 'w'): void {
  withFile(path, flags, (file) => {
    writeAll(file, bytes)
    fsyncSync(file)
  })
}

export function putInPlace(working: string, path: string): void {
  withFile(working, 'r+', fsyncSync)
  rename(working, path)
  syncFolder(dirname(path))
}

export function writeAll(file: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) {
    const taken = writeSync(file, bytes, written)
    if (taken === 0) throw Object.assign(new Error('the disk took nothing'), { code: 'ENOSPC' })
    written += taken
  }
}

/** Creating, renaming, or removing a file is durable only after its folder is synced. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') withFile(path, 'r', fsyncSync)
}

interface RenameParts {
  readonly platform?: NodeJS.Platform
  readonly rename?: (from: string, to: string) => void
  readonly wait?: (ms: number) => void
}

const held = new Set(['EPERM', 'EACCES', 'EBUSY'])
const pauses = [10, 20, 40, 80, 150, 300, 500, 900] as const

/** On Windows, a rename can fail while another program has the file open, so it is retried for up to 2 s. */
export function rename(
  from: string,
  to: string,
  { platform = process.platform, rename: attempt = renameSync, wait = waitInThread }: RenameParts = {},
): void {
  for (const pause of platform === 'win32' ? pauses : []) {
    try {
      return attempt(from, to)
    } catch (error) {
      if (!held.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    wait(pause)
  }
  attempt(from, to)
}

function waitInThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const full = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])
const failed = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM', 'ENODEV', 'ENXIO', 'EMFILE', 'ENFILE'])
const failedInSqlite = /^SQLITE_(IOERR|CANTOPEN|READONLY|PERM)/

export function diskFailure(error: unknown): AppError | null {
  if (error instanceof AppError) return null
  const code = String((error as { code?: unknown } | null | undefined)?.code)
  if (full.has(code)) return new AppError('disk-full', undefined, [], { cause: error })
  if (failed.has(code) || failedInSqlite.test(code)) return new AppError('disk-failed', undefined, [], { cause: error })
  return null
}
