import { link, mkdir, open as openFile, readdir, readFile, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { KEY_BYTES, newKey, open, seal, SEAL_OVERHEAD } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'
import { diskFailure, syncFolder } from '#base/durable-file.ts'
import { newId } from '#base/ids.ts'
import type { S3Options } from './s3-blob-store.ts'

/** `sealed_key` is the key of this blob, encrypted with the service key. */
export interface BlobRef {
  readonly id: string
  readonly sealed_key: Uint8Array
}

export interface BlobState {
  readonly bytes: number
  readonly chunks: number
}

export interface Blobs {
  newKey(id: string): Uint8Array
  state(id: string): Promise<BlobState>
  /** Returns true once the chunk is durable, and false if a chunk with its number exists already or is being written. */
  append(blob: BlobRef, state: BlobState, bytes: Uint8Array, isLast: boolean): Promise<boolean>
  read(blob: BlobRef, start?: number, end?: number): AsyncGenerator<Buffer>
  sealWhole(blob: BlobRef, bytes: Uint8Array): Buffer
  openWhole(blob: BlobRef, sealed: Uint8Array): Buffer
  remove(id: string): Promise<void>
  close(): void
}

export const CHUNK_BYTES = 1024 * 1024

export function sealedBlobs(store: BlobStore, serviceKey: Uint8Array): Blobs {
  const keyOf = ({ id, sealed_key }: BlobRef): Buffer => unwrapKey(serviceKey, id, sealed_key)
  return {
    newKey: (id) => wrapNewKey(serviceKey, id),
    state: async (id) => {
      const chunks = await chunksOf(store, id)
      return { bytes: chunks.reduce((sum, { bytes }) => sum + bytes - CHUNK_OVERHEAD, 0), chunks: chunks.length }
    },
    append: (blob, { chunks: number }, bytes, isLast) =>
      store.put(nameOf(blob.id, number), sealChunk(keyOf(blob), { blob: blob.id, number }, bytes, isLast)),
    async *read(blob, start = 0, end = Infinity) {
      const key = keyOf(blob)
      const chunks = await chunksOf(store, blob.id)
      let from = 0
      for (const [number, { name, bytes: stored }] of chunks.entries()) {
        const at = from
        from += stored - CHUNK_OVERHEAD
        if (from <= start && number < chunks.length - 1) continue
        if (at >= end) return
        const chunk = await store.get(name)
        if (chunk === null) throw damaged()
        const { bytes, isLast } = openChunk(key, { blob: blob.id, number }, chunk)
        if (isLast !== (number === chunks.length - 1) && end > from) throw damaged()
        const wanted = bytes.subarray(Math.max(0, start - at), Math.max(0, Math.min(bytes.length, end - at)))
        if (wanted.length > 0) yield wanted
      }
      if (chunks.length === 0) throw damaged()
    },
    sealWhole: (blob, bytes) => sealChunk(keyOf(blob), { blob: blob.id, number: 0 }, bytes, true),
    openWhole: (blob, sealed) => openChunk(keyOf(blob), { blob: blob.id, number: 0 }, sealed).bytes,
    remove: (id) => store.remove(id),
    close: () => store.close(),
  }
}

async function chunksOf(store: BlobStore, id: string): Promise<StoredObject[]> {
  const found = await store.list(id)
  const torn = found.findIndex(({ name, bytes }, number) => name !== nameOf(id, number) || bytes < CHUNK_OVERHEAD)
  return torn < 0 ? [...found] : found.slice(0, torn)
}

const nameOf = (id: string, number: number): string => `${id}/${String(number).padStart(8, '0')}`

export interface BlobStore {
  /** Returns true once the object is complete and durable, and false if the name is taken or another call is writing it. */
  put(name: string, bytes: Uint8Array): Promise<boolean>
  get(name: string): Promise<Uint8Array | null>
  list(folder: string): Promise<readonly StoredObject[]>
  remove(folder: string): Promise<void>
  close(): void
}

export interface StoredObject {
  readonly name: string
  readonly bytes: number
}

/**
 * Chunk format:
 *
 *     byte 0    version, 1
 *     byte 1    1 for the last chunk, else 0
 *     byte 2..  nonce, AES-256-GCM ciphertext, tag
 *
 * Associated data: blob id (16 bytes), chunk number (4 bytes), bytes 0 and 1.
 */
const VERSION = 1
const HEADER_BYTES = 2
export const CHUNK_OVERHEAD = HEADER_BYTES + SEAL_OVERHEAD

interface Place {
  readonly blob: string
  readonly number: number
}

function sealChunk(key: Uint8Array, place: Place, bytes: Uint8Array, isLast: boolean): Buffer {
  const header = Buffer.from([VERSION, isLast ? 1 : 0])
  return Buffer.concat([header, seal(key, bytes, associated(place, header))])
}

function openChunk(key: Uint8Array, place: Place, chunk: Uint8Array): { bytes: Buffer; isLast: boolean } {
  const header = chunk.subarray(0, HEADER_BYTES)
  const bytes = header[0] === VERSION ? open(key, chunk.subarray(HEADER_BYTES), associated(place, header)) : null
  if (bytes === null) throw damaged()
  return { bytes, isLast: header[1] === 1 }
}

function wrapNewKey(serviceKey: Uint8Array, blob: string): Buffer {
  const key = newKey()
  const wrapped = wrapKey(serviceKey, blob, key)
  key.fill(0)
  return wrapped
}

export function wrapKey(serviceKey: Uint8Array, blob: string, key: Uint8Array): Buffer {
  return seal(serviceKey, key, Buffer.from(`blob key ${blob}`))
}

export function unwrapKey(serviceKey: Uint8Array, blob: string, wrapped: Uint8Array): Buffer {
  const key = open(serviceKey, wrapped, Buffer.from(`blob key ${blob}`))
  if (key?.length !== KEY_BYTES) throw damaged()
  return key
}

function damaged(): AppError {
  return new AppError('recording-damaged', 'Part of the audio that was sent cannot be read any more. Send it again.')
}

function associated({ blob, number }: Place, header: Uint8Array): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(number)
  return Buffer.concat([Buffer.from(blob.replaceAll('-', ''), 'hex'), counter, header])
}

export type BlobOptions =
  /** `folder` is created with the first blob. All service processes must use the same folder. */
  { readonly kind: 'files'; readonly folder: string } | ({ readonly kind: 's3' } & S3Options)

export async function openBlobs(options: BlobOptions, key: Uint8Array): Promise<Blobs> {
  return sealedBlobs(await openBlobStore(options), key)
}

export async function openBlobStore(options: BlobOptions): Promise<BlobStore> {
  if (options.kind === 'files') return fileBlobStore(options.folder)
  const { s3BlobStore } = await import('./s3-blob-store.ts')
  return s3BlobStore(options)
}

const unfinished = '.new'

export function fileBlobStore(place: string): BlobStore {
  const root = resolve(place)
  return {
    put: (name, bytes) => onDisk(() => put(join(root, name), bytes)),
    get: (name) => onDisk(() => orNull(readFile(join(root, name)))),
    list: (folder) => onDisk(() => list(folder)),
    remove: (folder) =>
      onDisk(async () => {
        await rm(join(root, folder), { recursive: true, force: true })
        if ((await orNull(stat(root))) !== null) syncFolder(root)
      }),
    close: () => {},
  }

  async function put(path: string, bytes: Uint8Array): Promise<boolean> {
    const folder = dirname(path)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (made !== undefined)
      for (let each = folder; each.length >= resolve(made).length; each = dirname(each)) syncFolder(dirname(each))
    const temporary = `${path}.${newId()}${unfinished}`
    try {
      const file = await openFile(temporary, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      // Unlike rename, link never replaces an existing file.
      if (!(await isFirst(link(temporary, path)))) return false
    } finally {
      await unlink(temporary).catch(() => {})
    }
    syncFolder(folder)
    return true
  }

  async function list(folder: string): Promise<StoredObject[]> {
    const names = (await orNull(readdir(join(root, folder)))) ?? []
    const found: StoredObject[] = []
    for (const name of names.filter((each) => !each.endsWith(unfinished)).toSorted()) {
      found.push({ name: `${folder}/${name}`, bytes: (await stat(join(root, folder, name))).size })
    }
    return found
  }
}

async function isFirst(linked: Promise<void>): Promise<boolean> {
  try {
    await linked
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function orNull<Value>(read: Promise<Value>): Promise<Value | null> {
  try {
    return await read
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function onDisk<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw diskFailure(error) ?? error
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
