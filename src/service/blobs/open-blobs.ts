import type { Blobs } from './blobs.ts'
import { sealedBlobs } from './blobs.ts'
import { fileBlobStore } from './file-blob-store.ts'
import type { S3Options } from './s3-blob-store.ts'
import { s3BlobStore } from './s3-blob-store.ts'

export type BlobOptions =
  /** Made with its first blob. Every process of the service sees the same one. */
  { readonly kind: 'files'; readonly folder: string } | ({ readonly kind: 's3' } & S3Options)

export function openBlobs(options: BlobOptions, key: Uint8Array): Blobs {
  return sealedBlobs(options.kind === 'files' ? fileBlobStore(options.folder) : s3BlobStore(options), key)
}
