import type { Blobs } from './blobs.ts'
import { sealedBlobs } from './blobs.ts'
import { fileBlobStore } from './file-blob-store.ts'
import type { S3Options } from './s3-blob-store.ts'

export type BlobOptions =
  /** Made with its first blob. Every process of the service sees the same one. */
  { readonly kind: 'files'; readonly folder: string } | ({ readonly kind: 's3' } & S3Options)

export async function openBlobs(options: BlobOptions, key: Uint8Array): Promise<Blobs> {
  if (options.kind === 'files') return sealedBlobs(fileBlobStore(options.folder), key)
  // A laptop starts without it.
  const { s3BlobStore } = await import('./s3-blob-store.ts')
  return sealedBlobs(s3BlobStore(options), key)
}
