import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A recording starts only with room for at least two hours of sound. */
export const RESERVED_BYTES = 32 * 1024 * 1024
/** Upper bound for an hour of sound, in bytes. */
const HOUR_BYTES = 13_500_000

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(existsSync(folder) ? folder : dirname(folder))
  return bavail * bsize
}

export const hoursIn = (bytes: number): number => Math.floor((bytes / HOUR_BYTES) * 10) / 10
