import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Windows, macOS, and Linux on both architectures. */
const feedNames = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm64.yml']

export interface Release {
  readonly version: string
  readonly bytes: Buffer
  readonly notes?: string
  /** Names of the files that hold these bytes. */
  readonly files?: readonly string[]
  /** What the feed says of the file, where it is to differ from the truth. */
  readonly sha512?: string
  readonly signedWith?: KeyObject
  /** The name of the feed that was signed, where it is another one. */
  readonly signedAs?: string
}

export interface UpdateServer {
  readonly address: string
  readonly publicKey: KeyObject
  /** Every request as it came. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  /** Called first; true: it answered. */
  intercept: (request: IncomingMessage, response: ServerResponse, path: string) => boolean
  publish(release: Release): void
  /** Replaces a published file and signs nothing. */
  replace(path: string, content: Buffer | string): void
  /** Replaces the feeds of all systems and signs nothing. */
  replaceFeed(content: Buffer | string): void
  feed(): string
  close(): Promise<void>
}

/** A folder of a generic provider over HTTP on loopback: `latest*.yml`, its signature, files with ranges and entity tags. */
export async function updateServer(): Promise<UpdateServer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const contents = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    self.requests.push({ path, headers: request.headers })
    if (self.intercept(request, response, path)) return
    const content = contents.get(path)
    if (content === undefined) response.writeHead(404).end('not here')
    else sendFile(request, response, content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const self: UpdateServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicKey,
    requests: [],
    intercept: () => false,
    publish(release) {
      const feed = feedOf(release)
      for (const name of feedNames) {
        const message = Buffer.from(`${release.signedAs ?? name}\n${feed}`)
        contents.set(`/${name}`, Buffer.from(feed))
        contents.set(`/${name}.sig`, Buffer.from(sign(null, message, release.signedWith ?? privateKey).toString('base64')))
      }
      for (const name of namesOf(release)) contents.set(`/${name}`, release.bytes)
    },
    replace: (path, content) => void contents.set(path, Buffer.from(content)),
    feed: () => contents.get('/latest.yml')!.toString('utf8'),
    replaceFeed(content) {
      for (const name of feedNames) contents.set(`/${name}`, Buffer.from(content))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self
}

const namesOf = ({ version, files }: Release): readonly string[] => files ?? [`Afterword-${version}.AppImage`]

/** As electron-builder writes it. */
function feedOf(release: Release): string {
  const sha512 = release.sha512 ?? createHash('sha512').update(release.bytes).digest('base64')
  const files = namesOf(release).map((url) => `  - url: ${url}\n    sha512: ${sha512}\n    size: ${release.bytes.length}\n`)
  const notes = release.notes === undefined ? '' : `releaseNotes: ${JSON.stringify(release.notes)}\n`
  return `version: ${release.version}\nfiles:\n${files.join('')}path: ${namesOf(release)[0]}\nsha512: ${sha512}\n${notes}releaseDate: '2026-11-30T09:00:00.000Z'\n`
}

export function sendFile(request: IncomingMessage, response: ServerResponse, content: Buffer): void {
  const etag = `"${createHash('sha256').update(content).digest('hex')}"`
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const isPart = from > 0 && (request.headers['if-range'] === undefined || request.headers['if-range'] === etag)
  const body = isPart ? content.subarray(from) : content
  response.writeHead(isPart ? 206 : 200, {
    etag,
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    ...(isPart ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
  })
  response.end(body)
}
