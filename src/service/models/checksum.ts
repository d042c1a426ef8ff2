import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** What a file must be, as its catalogue or its source says. Git's own checksum is what sources give for small files. */
export type Check = { readonly sha256: string } | { readonly git_sha1: string }

export interface Sums {
  readonly bytes: number
  readonly sha256: string
  readonly git_sha1: string
}

/** Reads back what the disk holds. */
export async function sumsOf(path: string, bytes: number, signal?: AbortSignal): Promise<Sums> {
  const sha256 = createHash('sha256')
  // Git's object name of a file: its kind and length, a zero, and the content.
  const git = createHash('sha1').update(`blob ${bytes}\0`)
  let read = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, ...(signal ? { signal } : {}) })) {
    read += (chunk as Buffer).length
    sha256.update(chunk as Buffer)
    git.update(chunk as Buffer)
  }
  return { bytes: read, sha256: sha256.digest('hex'), git_sha1: git.digest('hex') }
}

export function fits(sums: Sums, check: Check): boolean {
  return 'sha256' in check ? sums.sha256 === check.sha256 : sums.git_sha1 === check.git_sha1
}
