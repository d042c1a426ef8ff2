import { createHash } from 'node:crypto'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { AppError } from '#contract/errors.ts'
import type { BlobStore, StoredObject } from './blob-store.ts'

export interface S3Options {
  /** Of any S3-compatible store; left out for Amazon's own. */
  readonly endpoint?: string
  readonly region: string
  readonly bucket: string
  /** Before every name, e.g. `afterword/`. */
  readonly prefix?: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Any S3-compatible store, one object per name. */
export function s3BlobStore({ endpoint, region, bucket: Bucket, prefix = '', ...credentials }: S3Options): BlobStore {
  const client = new S3Client({
    region,
    credentials,
    // Stores of one's own rarely have a host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // The SHA-256 is sent by name; the default, a CRC behind the body, is understood by few but Amazon.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    put: (name, bytes) => reached(() => put(prefix + name, bytes)),
    get: (name) =>
      reached(async () => {
        const found = await orNull(client.send(new GetObjectCommand({ Bucket, Key: prefix + name })))
        return (await found?.Body?.transformToByteArray()) ?? null
      }),
    list: (folder) => reached(() => list(`${prefix}${folder}/`)),
    remove: (folder) =>
      reached(async () => {
        // A store answers at most a thousand names at once, and takes as many.
        for (;;) {
          const found = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${folder}/` }))
          const Objects = (found.Contents ?? []).map(({ Key }) => ({ Key }))
          if (Objects.length === 0) return
          await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
        }
      }),
    close: () => client.destroy(),
  }

  async function put(Key: string, bytes: Uint8Array): Promise<boolean> {
    // For stores that do not know conditional writes: at least what is there already is left alone.
    if ((await orNull(client.send(new HeadObjectCommand({ Bucket, Key })))) !== null) return false
    const ChecksumSHA256 = createHash('sha256').update(bytes).digest('base64')
    try {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes, IfNoneMatch: '*', ChecksumSHA256 }))
      return true
    } catch (error) {
      if (statusOf(error) === 412 || statusOf(error) === 409) return false
      throw error
    }
  }

  async function list(Prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = []
    let ContinuationToken: string | undefined
    do {
      const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
      for (const { Key = '', Size = 0 } of page.Contents ?? []) found.push({ name: Key.slice(prefix.length), bytes: Size })
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (ContinuationToken !== undefined)
    return found
  }
}

async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

async function reached<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw new AppError('storage-unreachable', undefined, [], { cause: error })
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}
