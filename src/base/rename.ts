import { renameSync } from 'node:fs'

interface RenameParts {
  readonly platform?: NodeJS.Platform
  readonly rename?: (from: string, to: string) => void
  readonly wait?: (ms: number) => void
}

/** Errors on Windows while a virus scanner, indexer, or backup briefly has the file open. */
const held = new Set(['EPERM', 'EACCES', 'EBUSY'])
/** Milliseconds; 2 s in total. */
const pauses = [10, 20, 40, 80, 150, 300, 500, 900] as const

/** Renames over an existing file or folder. On Windows this fails while another program holds one of them, so it retries. */
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
