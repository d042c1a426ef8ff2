import type { BlobOptions } from '../blobs/open-blobs.ts'
import { blobFolder } from './copy.ts'
import type { Settings } from './settings.ts'

/** Where audio stands that was sent: in a bucket where one is named, else beside the records. */
export function audioStoreOf(settings: Settings, data: string): BlobOptions {
  const { s3_bucket: bucket, s3_access_key: accessKeyId, s3_secret_key: secretAccessKey } = settings
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return { kind: 'files', folder: blobFolder(data) }
  const { s3_endpoint: endpoint, s3_prefix: prefix, s3_region: region } = settings
  return {
    kind: 's3',
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(prefix === undefined ? {} : { prefix }),
  }
}
