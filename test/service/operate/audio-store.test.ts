import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { audioStoreOf } from '#service/operate/copy.ts'
import { readSettings } from '#service/operate/read-settings.ts'
import { startS3 } from '#test/support/s3-server.ts'
import { freshFolder, startAlone } from '../alone-kit.ts'
import { sessionOgg } from '../service-kit.ts'
import { take, told } from '../events/sse.ts'
import { send } from '../uploads/upload-kit.ts'

const settingsOf = (environment: Record<string, string>) => readSettings(['--data', 'd'], environment)

test('audio stands beside the records, or in the bucket that is named', () => {
  expect(audioStoreOf(settingsOf({}).settings!, '/data')).toEqual({ kind: 'files', folder: join('/data', 'blobs') })
  const s3 = { AFTERWORD_S3_BUCKET: 'b', AFTERWORD_S3_ACCESS_KEY: 'k', AFTERWORD_S3_SECRET_KEY: 's' }
  expect(audioStoreOf(settingsOf({ ...s3, AFTERWORD_S3_PREFIX: 'a/' }).settings!, '/data')).toEqual({
    kind: 's3',
    region: 'us-east-1',
    bucket: 'b',
    prefix: 'a/',
    accessKeyId: 'k',
    secretAccessKey: 's',
  })
  expect(settingsOf({ AFTERWORD_S3_BUCKET: 'b' }).mistakes).toEqual([
    'AFTERWORD_S3_BUCKET: needs AFTERWORD_S3_ACCESS_KEY and AFTERWORD_S3_SECRET_KEY',
  ])
})

test('a service of its own keeps audio in the bucket it is given, takes no more than it is told, and ends at once', async () => {
  const server = await startS3()
  const { endpoint = '', bucket, accessKeyId, secretAccessKey } = server.options
  const folder = freshFolder()
  const service = await startAlone(folder.data, {
    AFTERWORD_S3_ENDPOINT: endpoint,
    AFTERWORD_S3_BUCKET: bucket,
    AFTERWORD_S3_ACCESS_KEY: accessKeyId,
    AFTERWORD_S3_SECRET_KEY: secretAccessKey,
    AFTERWORD_UPLOAD_LIMIT: '1',
  })
  const id = await send(service.address, sessionOgg, { key: service.ownerKey })
  expect(readdirSync(join(server.folder, bucket))).toContain(id)
  expect(existsSync(join(folder.data, 'blobs'))).toBe(false)
  const refused = await fetch(`${service.address}/uploads`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.ownerKey}`, 'Tus-Resumable': '1.0.0', 'Upload-Length': String(1024 ** 2 + 1) },
  })
  expect(refused.status).toBe(413)
  // Whoever follows what changes does not hold up its end.
  const followed = await fetch(`${service.address}/events`, {
    headers: { Authorization: `Bearer ${service.ownerKey}`, Accept: 'text/event-stream' },
  })
  const events = told(followed)
  expect(await take(events, 1)).toMatchObject([{ event: 'here' }])
  expect(await service.stop()).toBe(0)
  expect(await take(events, 1)).toEqual([])
  folder.remove()
  await server.close()
})
