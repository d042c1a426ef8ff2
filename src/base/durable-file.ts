import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { rename } from './rename.ts'

/** Replaces a file atomically: temporary file, fsync, rename, fsync of the folder. */
export function replaceFile(path: string, content: Uint8Array | string): void {
  const temporary = `${path}.new`
  try {
    const file = openSync(temporary, 'w', 0o600)
    try {
      writeAll(file, typeof content === 'string' ? Buffer.from(content) : content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    rename(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** `writeSync` can write less than requested, mostly on a nearly full disk. */
export function writeAll(file: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) {
    const taken = writeSync(file, bytes, written)
    if (taken === 0) throw Object.assign(new Error('the disk took nothing'), { code: 'ENOSPC' })
    written += taken
  }
}

/** A created, renamed, or removed file is durable only after its folder is synced. Windows does not need this. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
