import { createHash, type KeyObject, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { RequestOptions } from 'node:http'
import { basename } from 'node:path/posix'
import { isLoopback } from '#base/practice-network.ts'
import { UpdateError } from './updates.ts'

const MAX_FEED_BYTES = 256 * 1024
const MAX_SIGNATURE_BYTES = 1024
const MAX_DOWNLOAD_BYTES = 2 * 1024 ** 3
const MAX_REDIRECTS = 5
const MAX_PARTS = 20
const STALL_MS = 60_000

interface Ports {
  readonly fetch: typeof fetch
  readonly keys: readonly KeyObject[]
  readonly pause?: (attempt: number) => Promise<unknown>
  readonly stallMs?: number
}

interface DownloadOptions {
  readonly sha512?: string | null
  onProgress?: (progress: { total: number; delta: number; transferred: number; percent: number; bytesPerSecond: number }) => void
}

interface Partial {
  readonly file: FileHandle
  received: number
  validator: string | null
}

/**
 * Replaces electron-updater's HTTP executor with Node's fetch, because this app disables Chromium's network. Contacts only the
 * feed's origin. The signature covers the feed's file name, so a mirror cannot send another platform's feed instead.
 */
export class FeedHttp {
  readonly #ports: Ports
  #feed: URL | null = null

  constructor(ports: Ports) {
    this.#ports = ports
  }

  get feed(): URL | null {
    return this.#feed
  }

  /** Reads and verifies the feed. Leaves out electron-updater's headers, which contain an installation id. */
  async request(options: RequestOptions): Promise<string> {
    const port = options.port ? `:${options.port}` : ''
    const address = new URL(`${options.protocol}//${options.hostname}${port}${options.path}`)
    if (address.protocol !== 'https:' && !isLoopback(address)) throw new UpdateError('feed-redirected')
    this.#feed = address
    const text = await this.#readText(address, MAX_FEED_BYTES, 'feed-missing')
    if (text.trimStart().startsWith('<')) throw new UpdateError('feed-unreadable')
    const signature = new URL(address)
    signature.pathname += '.sig'
    const signed = Buffer.from(await this.#readText(signature, MAX_SIGNATURE_BYTES, 'feed-unsigned'), 'base64')
    const message = Buffer.from(`${basename(address.pathname)}\n${text}`)
    if (!this.#ports.keys.some((key) => verify(null, message, key, signed))) throw new UpdateError('feed-unsigned')
    return text
  }

  async download(address: URL, destination: string, { sha512, onProgress }: DownloadOptions): Promise<string> {
    if (!sha512) throw new UpdateError('feed-unreadable')
    const file = await open(destination, 'w', 0o600)
    try {
      const partial: Partial = { file, received: 0, validator: null }
      let unsuccessful = 0
      for (let part = 1; ; part++) {
        const before = partial.received
        if (await this.#receive(address, partial, onProgress)) break
        if (part === MAX_PARTS) throw new UpdateError('download-interrupted')
        unsuccessful = partial.received > before ? 1 : unsuccessful + 1
        await (this.#ports.pause ?? backOff)(unsuccessful)
      }
      await file.sync().catch(toDiskFull)
    } finally {
      await file.close()
    }
    if ((await hashOf(destination)) !== inBase64(sha512)) throw new UpdateError('download-damaged')
    return destination
  }

  async #receive(address: URL, partial: Partial, onProgress: DownloadOptions['onProgress']): Promise<boolean> {
    const stall = watchStall(this.#ports.stallMs ?? STALL_MS)
    try {
      const response = await this.#get(address, resumeHeaders(partial), stall.signal)
      if (response.status >= 500 || response.status === 416 || response.status === 429) {
        if (response.status === 416) await startOver(partial)
        return false
      }
      if (!response.ok) throw new UpdateError('feed-missing')
      if (isHtml(response)) throw new UpdateError('feed-unreadable')
      const isContinued = response.status === 206 && contentStart(response) === partial.received
      if (!isContinued) await startOver(partial)
      if (response.status === 206 && !isContinued) return false
      partial.validator = strongValidator(response)
      const length = Number(response.headers.get('content-length') ?? Number.NaN)
      const total = partial.received + length
      for await (const chunk of response.body ?? []) {
        stall.touch()
        await partial.file.write(chunk, 0, chunk.length, partial.received).catch(toDiskFull)
        partial.received += chunk.length
        if (partial.received > MAX_DOWNLOAD_BYTES) throw new UpdateError('download-damaged')
        if (!Number.isNaN(total)) onProgress?.(progressOf(partial.received, total, chunk.length))
      }
      return Number.isNaN(total) || partial.received >= total
    } catch (error) {
      if (error instanceof UpdateError) throw error
      return false
    } finally {
      stall.end()
    }
  }

  async #readText(address: URL, limit: number, missing: 'feed-missing' | 'feed-unsigned'): Promise<string> {
    const stall = watchStall(this.#ports.stallMs ?? STALL_MS)
    try {
      const response = await this.#get(address, {}, stall.signal)
      if (response.status >= 500 || response.status === 429) throw new UpdateError('feed-unreachable')
      if (!response.ok) throw new UpdateError(missing)
      if (isHtml(response)) throw new UpdateError('feed-unreadable')
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of response.body ?? []) {
        stall.touch()
        size += chunk.length
        if (size > limit) throw new UpdateError('feed-unreadable')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    } catch (error) {
      throw error instanceof UpdateError ? error : new UpdateError('feed-unreachable')
    } finally {
      stall.end()
    }
  }

  async #get(address: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    let at = address
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      if (at.origin !== this.#feed?.origin) throw new UpdateError('feed-redirected')
      const own = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Afterword', 'cache-control': 'no-cache' }
      const response = await this.#ports.fetch(at, { redirect: 'manual', headers: { ...own, ...headers }, signal })
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
      if (location === null) return response
      await response.body?.cancel()
      if (!URL.canParse(location, at.href)) throw new UpdateError('feed-unreadable')
      at = new URL(location, at)
    }
    throw new UpdateError('feed-redirected')
  }
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  return hash.digest('base64')
}

export const inBase64 = (sha512: string): string =>
  /^[0-9a-f]{128}$/i.test(sha512) ? Buffer.from(sha512, 'hex').toString('base64') : sha512

const isHtml = (response: Response): boolean => (response.headers.get('content-type') ?? '').includes('text/html')

const backOff = (attempt: number): Promise<void> => new Promise((done) => setTimeout(done, Math.min(15_000, 500 * 2 ** attempt)))

function resumeHeaders({ received, validator }: Partial): Record<string, string> {
  if (received === 0) return {}
  return { range: `bytes=${received}-`, ...(validator === null ? {} : { 'if-range': validator }) }
}

function contentStart(response: Response): number | null {
  const match = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')
  return match === null ? null : Number(match[1])
}

/** RFC 9110, 13.1.5: `If-Range` takes a strong entity tag or a date. */
function strongValidator(response: Response): string | null {
  const tag = response.headers.get('etag')
  return tag !== null && !tag.startsWith('W/') ? tag : response.headers.get('last-modified')
}

async function startOver(partial: Partial): Promise<void> {
  await partial.file.truncate(0).catch(toDiskFull)
  partial.received = 0
}

function progressOf(transferred: number, total: number, delta: number) {
  return { transferred, total, delta, percent: Math.min(100, (transferred / total) * 100), bytesPerSecond: 0 }
}

function toDiskFull(): never {
  throw new UpdateError('disk-full')
}

function watchStall(stallMs: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), stallMs)
  return { signal: controller.signal, touch: () => void timer.refresh(), end: () => clearTimeout(timer) }
}
