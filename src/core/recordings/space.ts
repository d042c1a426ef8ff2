import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Two hours of sound at least, else a recording is not begun. */
export const RESERVED_BYTES = 32 * 1024 * 1024
/** An hour of sound costs no more than this. */
const HOUR_BYTES = 13_500_000

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(existsSync(folder) ? folder : dirname(folder))
  return bavail * bsize
}

export const hoursIn = (bytes: number): number => Math.floor((bytes / HOUR_BYTES) * 10) / 10
