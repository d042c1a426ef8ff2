import type { Blobs, BlobStore } from './blobs.ts'
import { sealedBlobs } from './blobs.ts'
import { fileBlobStore } from './file-blob-store.ts'
import type { S3Options } from './s3-blob-store.ts'

export type BlobOptions =
  /** Made with its first blob. Every process of the service sees the same one. */
  { readonly kind: 'files'; readonly folder: string } | ({ readonly kind: 's3' } & S3Options)

export async function openBlobs(options: BlobOptions, key: Uint8Array): Promise<Blobs> {
  return sealedBlobs(await openBlobStore(options), key)
}

/** The store itself, for chunks as they are: sealed. */
export async function openBlobStore(options: BlobOptions): Promise<BlobStore> {
  if (options.kind === 'files') return fileBlobStore(options.folder)
  // A laptop starts without it.
  const { s3BlobStore } = await import('./s3-blob-store.ts')
  return s3BlobStore(options)
}
