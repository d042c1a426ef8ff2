import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { AwsClient } from 'aws4fetch'
import { AppError } from '#contract/errors.ts'
import type { BlobStore, StoredObject } from './blobs.ts'

export interface S3Options {
  readonly endpoint?: string
  readonly region: string
  readonly bucket: string
  readonly prefix?: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const REQUEST_TIMEOUT_MS = 60_000
const RETRY_PAUSES_MS = [100, 400]
const MAX_RETRIES = 3
const CONCURRENT_DELETES = 8

export function s3BlobStore(options: S3Options): BlobStore {
  const { prefix = '' } = options
  const send = sender(options)
  return {
    put: (name, bytes) => reached(() => put(send, prefix + name, bytes)),
    get: (name) =>
      reached(async () => {
        const found = await send('GET', prefix + name, { accepted: [404] })
        return found.status === 404 ? null : new Uint8Array(await found.arrayBuffer())
      }),
    list: (folder) =>
      reached(async () => {
        const found = await list(send, `${prefix}${folder}/`)
        return found.map(({ name, bytes }) => ({ name: name.slice(prefix.length), bytes }))
      }),
    /** Sends one DELETE request per object, because not every store supports bulk delete. */
    remove: (folder) =>
      reached(async () => {
        const names = (await list(send, `${prefix}${folder}/`)).map(({ name }) => name)
        const deleteNext = async (): Promise<void> => {
          for (let name = names.pop(); name !== undefined; name = names.pop()) await send('DELETE', name, { accepted: [404] })
        }
        await Promise.all(Array.from({ length: CONCURRENT_DELETES }, deleteNext))
      }),
    close: () => {},
  }
}

interface Sent {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  readonly accepted?: readonly number[]
}
type Send = (method: string, key: string, sent?: Sent) => Promise<Response>

function sender({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Options): Send {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: MAX_RETRIES })
  const root =
    endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/+$/, '')}/${bucket}`
  return async (method, key, { query = {}, headers = {}, body, accepted = [] } = {}) => {
    const url = new URL(`${root}/${key.split('/').map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const attempt = (): Promise<Response> =>
      client.fetch(url.href, {
        method,
        // Includes the body in the signature, which aws4fetch by default does not for S3.
        headers: { ...headers, 'x-amz-content-sha256': sha256(body).toString('hex') },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
    const response = await withRetries(attempt)
    if (response.ok || accepted.includes(response.status)) return response
    await response.body?.cancel()
    throw new Error(`The object store answered ${response.status} to ${method}.`)
  }
}

async function withRetries(attempt: () => Promise<Response>): Promise<Response> {
  for (const pause of RETRY_PAUSES_MS) {
    try {
      return await attempt()
    } catch {
      await sleep(pause)
    }
  }
  return await attempt()
}

async function put(send: Send, key: string, body: Uint8Array): Promise<boolean> {
  // Some stores ignore `If-None-Match`, so check first whether the object exists.
  if ((await send('HEAD', key, { accepted: [404] })).ok) return false
  const headers = { 'if-none-match': '*', 'x-amz-checksum-sha256': sha256(body).toString('base64') }
  const answer = await send('PUT', key, { headers, body: new Uint8Array(body), accepted: [409, 412] })
  await answer.body?.cancel()
  return answer.ok
}

async function list(send: Send, prefix: string): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  let token: string | null = null
  do {
    const query = { 'list-type': '2', prefix, ...(token === null ? {} : { 'continuation-token': token }) }
    const { root } = parseXml(await (await send('GET', '', { query })).text())
    if (root === null) throw new Error('The object store answered no list.')
    for (const each of elementsOf(root, 'Contents'))
      found.push({ name: textOf(each, 'Key') ?? '', bytes: Number(textOf(each, 'Size')) })
    token = textOf(root, 'IsTruncated') === 'true' ? textOf(root, 'NextContinuationToken') : null
  } while (token !== null)
  return found
}

const elementsOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((node) => node instanceof XmlElement && node.name === name) as XmlElement[]

const textOf = (element: XmlElement, name: string): string | null => elementsOf(element, name)[0]?.text ?? null

const sha256 = (bytes: Uint8Array | undefined): Buffer =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest()

async function reached<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw new AppError('storage-unreachable', undefined, [], { cause: error })
  }
}
