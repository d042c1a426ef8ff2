import { existsSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { syncFolder } from '#base/durable-file.ts'
import { rename } from '#base/rename.ts'
import type { WantedFile } from './manifest.ts'

/** What is known of a file that is not whole yet; stands beside it. */
const sidecarSchema = z.object({
  address: z.string(),
  bytes: z.int(),
  check: z.union([z.object({ sha256: z.string() }), z.object({ git_sha1: z.string() })]),
  /** Of the answer the bytes came from: bytes of another one do not fit to them. */
  etag: z.string().nullable(),
  /** So many are on the disk for good; what stands behind them may be gone after a power cut. */
  synced_bytes: z.int().min(0),
})
type Sidecar = z.infer<typeof sidecarSchema>

/** Bytes between two times of making sure that they are on the disk. */
const syncEvery = 16 * 1024 * 1024
/** Bytes; addresses are at most some hundred letters. */
const sidecarLength = 2048

/** A file on its way in. Only `finish` gives it its name. */
export interface PartFile {
  readonly path: string
  /** Where the next byte goes. */
  readonly offset: number
  readonly etag: string | null
  begin(etag: string | null): Promise<void>
  append(chunk: Uint8Array): Promise<void>
  /** On the disk, and known to be. */
  sync(): Promise<void>
  close(): Promise<void>
}

const partOf = (folder: string, name: string): string => join(folder, `${name}.part`)
const sidecarOf = (folder: string, name: string): string => join(folder, `${name}.part.json`)

export async function openPart(folder: string, wanted: WantedFile, every = syncEvery): Promise<PartFile> {
  const path = partOf(folder, wanted.name)
  const before = readSidecar(folder, wanted)
  if (before === null) dropPart(folder, wanted.name)
  const handle: FileHandle = await open(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  const { size } = await handle.stat()
  const beside = await open(sidecarOf(folder, wanted.name), before === null ? 'w+' : 'r+', 0o600)
  let offset = Math.min(before?.synced_bytes ?? 0, size)
  let synced = offset
  // Two addresses give one file different tags; then its checksum alone tells whether the pieces fit.
  let etag = before?.address === wanted.address ? before.etag : null
  await handle.truncate(offset)

  async function sync(): Promise<void> {
    await handle.datasync()
    synced = offset
    const { address, bytes, check } = wanted
    const sidecar: Sidecar = { address, bytes, check, etag, synced_bytes: offset }
    // Over itself, at a fixed length: a disk that is full takes that too. Torn, it is unreadable, and all begins anew.
    await beside.write(Buffer.from(JSON.stringify(sidecar).padEnd(sidecarLength)), 0, sidecarLength, 0)
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
    async begin(next) {
      etag = next
      offset = 0
      await handle.truncate(0)
      await sync()
    },
    async append(chunk) {
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

/** Bytes already here of a file that is to be fetched. */
export function keptBytes(folder: string, wanted: WantedFile): number {
  return readSidecar(folder, wanted)?.synced_bytes ?? 0
}

/** Its bytes were checked: from now on it is a file. */
export function finishPart(folder: string, name: string): void {
  rename(partOf(folder, name), join(folder, name))
  rmSync(sidecarOf(folder, name), { force: true })
  syncFolder(folder)
}

export function dropPart(folder: string, name: string): void {
  rmSync(partOf(folder, name), { force: true })
  rmSync(sidecarOf(folder, name), { force: true })
}

/** Null where there is none, or it is of something else. */
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
