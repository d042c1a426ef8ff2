import { CHUNK_OVERHEAD, damaged, openChunk, sealChunk, unwrapKey, wrapNewKey } from './chunk-seal.ts'

/** A blob and its key, wrapped. Whoever forgets the key has erased the bytes, wherever copies of them stand. */
export interface BlobRef {
  readonly id: string
  readonly sealed_key: Uint8Array
}

/** What is durably there: counted from what is stored, by nobody's memory. */
export interface BlobState {
  readonly bytes: number
  readonly chunks: number
}

/** Bytes that grow at their end until they are whole, sealed before any store sees them. */
export interface Blobs {
  newKey(id: string): Uint8Array
  state(id: string): Promise<BlobState>
  /** Durable when it returns. False where somebody else went on from this state already. */
  append(blob: BlobRef, state: BlobState, bytes: Uint8Array, isLast: boolean): Promise<boolean>
  /** @throws AppError `recording-damaged`, also where the end is missing */
  read(blob: BlobRef, start?: number, end?: number): AsyncGenerator<Buffer>
  /** Short bytes that stand elsewhere, sealed as a blob of one chunk. */
  sealWhole(blob: BlobRef, bytes: Uint8Array): Buffer
  openWhole(blob: BlobRef, sealed: Uint8Array): Buffer
  remove(id: string): Promise<void>
  close(): void
}

/** Cut here, so that a crash costs at most so much and reading holds no more. */
export const chunkBytes = 1024 * 1024

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

/** Up to the first that is missing: what stands behind it was never acknowledged. */
async function chunksOf(store: BlobStore, id: string): Promise<StoredObject[]> {
  const found = await store.list(id)
  const torn = found.findIndex(({ name, bytes }, number) => name !== nameOf(id, number) || bytes < CHUNK_OVERHEAD)
  return torn < 0 ? [...found] : found.slice(0, torn)
}

const nameOf = (id: string, number: number): string => `${id}/${String(number).padStart(8, '0')}`

/**
 * Where bytes stand that are too many for the database. It holds whole objects under names like `<blob id>/00000007`,
 * never changes one, and is only ever given sealed bytes.
 */
export interface BlobStore {
  /** Durable and whole when it returns. False where there is one of this name already, which stays as it is. */
  put(name: string, bytes: Uint8Array): Promise<boolean>
  /** Null where there is none. */
  get(name: string): Promise<Uint8Array | null>
  /** What stands in a folder, by name; lengths as stored. */
  list(folder: string): Promise<readonly StoredObject[]>
  /** All of a folder; none there is fine. */
  remove(folder: string): Promise<void>
  close(): void
}

export interface StoredObject {
  readonly name: string
  readonly bytes: number
}
