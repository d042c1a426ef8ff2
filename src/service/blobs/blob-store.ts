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
