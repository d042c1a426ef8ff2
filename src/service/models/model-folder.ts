import { existsSync, mkdirSync, readdirSync, rmSync, statSync, createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rename, syncFolder } from '#base/durable-file.ts'
import { type FileHandle, open, statfs } from 'node:fs/promises'
import { AppError } from '#contract/errors.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { WantedFile } from './manifest.ts'

const incoming = '.incoming'
const KEPT_FOR_MS = 14 * 24 * 3_600_000

export function openModelFolder(root: string) {
  mkdirSync(join(root, incoming), { recursive: true, mode: 0o700 })
  const pathOf = (id: string): string => join(root, id)
  const incomingOf = (id: string): string => join(root, incoming, id)
  return {
    root,
    pathOf,
    incomingOf(id: string) {
      mkdirSync(incomingOf(id), { recursive: true, mode: 0o700 })
      return incomingOf(id)
    },
    admit(id: string, from = id) {
      syncFolder(incomingOf(from))
      rmSync(pathOf(id), { recursive: true, force: true })
      rename(incomingOf(from), pathOf(id))
      syncFolder(root)
      syncFolder(join(root, incoming))
    },
    remove: (id: string) => rmSync(pathOf(id), { recursive: true, force: true }),
    dropIncoming: (id: string) => rmSync(incomingOf(id), { recursive: true, force: true }),
    keptBytes: (id: string) => (existsSync(incomingOf(id)) ? bytesIn(incomingOf(id)) : 0),
  }
}

export type ModelFolder = ReturnType<typeof openModelFolder>

export function sweep(folder: ModelFolder, isLeftOver: (id: string) => boolean, isAwaited: (id: string) => boolean, now: number) {
  for (const name of readdirSync(folder.root)) {
    if (isLeftOver(name) && !isAwaited(name)) rmSync(join(folder.root, name), { recursive: true, force: true })
  }
  for (const id of readdirSync(join(folder.root, incoming))) {
    const { mtimeMs } = statSync(join(folder.root, incoming, id))
    if (!isAwaited(id) && mtimeMs < now - KEPT_FOR_MS) folder.dropIncoming(id)
  }
}

function bytesIn(path: string): number {
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
}

/** Disk space that model downloads and imports leave free for recordings. */
export const RESERVE_BYTES = 256 * 1024 * 1024

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export async function requireSpace(folder: string, needed: number, reserve: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= needed + reserve) return
  throw new AppError(
    'disk-full',
    `This needs ${megabytes(needed)}, and Afterword reserves ${megabytes(reserve)} for recordings. ${megabytes(free)} are free. ` +
      'The downloaded part is saved, so you can resume.',
  )
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`

export type Check = { readonly sha256: string } | { readonly git_sha1: string }

type Sums = Awaited<ReturnType<typeof sumsOf>>

export async function sumsOf(path: string, bytes: number, signal?: AbortSignal) {
  const sha256 = createHash('sha256')
  // Git blob hash: SHA-1 of this header and the content.
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

const sidecarSchema = z.object({
  address: z.string(),
  bytes: z.int(),
  check: z.union([z.object({ sha256: z.string() }), z.object({ git_sha1: z.string() })]),
  etag: z.string().nullable(),
  synced_bytes: z.int().min(0),
})
type Sidecar = z.infer<typeof sidecarSchema>

const SYNC_EVERY = 16 * 1024 * 1024
const SIDECAR_LENGTH = 2048

export type PartFile = Awaited<ReturnType<typeof openPart>>

const partOf = (folder: string, name: string): string => join(folder, `${name}.part`)
const sidecarOf = (folder: string, name: string): string => join(folder, `${name}.part.json`)

export async function openPart(folder: string, wanted: WantedFile, every = SYNC_EVERY) {
  const path = partOf(folder, wanted.name)
  const before = readSidecar(folder, wanted)
  if (before === null) dropPart(folder, wanted.name)
  const handle: FileHandle = await open(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  const { size } = await handle.stat()
  const beside = await open(sidecarOf(folder, wanted.name), before === null ? 'w+' : 'r+', 0o600)
  let offset = Math.min(before?.synced_bytes ?? 0, size)
  let synced = offset
  // ETags from different URLs can't be compared.
  let etag = before?.address === wanted.address ? before.etag : null
  await handle.truncate(offset)

  async function sync(): Promise<void> {
    await handle.datasync()
    synced = offset
    const { address, bytes, check } = wanted
    const sidecar: Sidecar = { address, bytes, check, etag, synced_bytes: offset }
    // Overwriting in place at a fixed length also works on a full disk.
    await beside.write(Buffer.from(JSON.stringify(sidecar).padEnd(SIDECAR_LENGTH)), 0, SIDECAR_LENGTH, 0)
    await beside.datasync()
  }
  return {
    path,
    get offset() {
      return offset
    },
    get etag() {
      return etag
    },
    async begin(next: string | null) {
      etag = next
      offset = 0
      await handle.truncate(0)
      await sync()
    },
    async append(chunk: Uint8Array) {
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, offset)
        if (bytesWritten === 0) throw Object.assign(new Error('the disk took nothing'), { code: 'ENOSPC' })
        at += bytesWritten
        offset += bytesWritten
      }
      if (offset - synced >= every) await sync()
    },
    sync,
    async close() {
      await handle.close()
      await beside.close()
    },
  }
}

export function keptBytes(folder: string, wanted: WantedFile): number {
  return readSidecar(folder, wanted)?.synced_bytes ?? 0
}

export function finishPart(folder: string, name: string): void {
  rename(partOf(folder, name), join(folder, name))
  rmSync(sidecarOf(folder, name), { force: true })
  syncFolder(folder)
}

export function dropPart(folder: string, name: string): void {
  rmSync(partOf(folder, name), { force: true })
  rmSync(sidecarOf(folder, name), { force: true })
}

function readSidecar(folder: string, { name, bytes, check }: WantedFile): Sidecar | null {
  const path = sidecarOf(folder, name)
  if (!existsSync(path)) return null
  try {
    const sidecar = sidecarSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    return sidecar.bytes === bytes && JSON.stringify(sidecar.check) === JSON.stringify(check) ? sidecar : null
  } catch {
    return null
  }
}
