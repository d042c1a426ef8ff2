import { statfs } from 'node:fs/promises'
import { AppError } from '#contract/errors.ts'

/** Bytes left free for recordings, whatever is installed: about 19 hours of sound. */
export const reserveBytes = 256 * 1024 * 1024

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** @throws AppError `disk-full` */
export async function requireSpace(folder: string, needed: number, reserve: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= needed + reserve) return
  throw new AppError(
    'disk-full',
    `This needs ${megabytes(needed)} and leaves ${megabytes(reserve)} for recordings; ${megabytes(free)} are free. ` +
      'What was fetched so far is kept, to go on from.',
  )
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`
