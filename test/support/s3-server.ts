import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Options } from '#service/blobs/s3-blob-store.ts'

export interface S3Server {
  readonly options: S3Options
  /** What it holds, as it holds it. */
  readonly folder: string
  /** PUTs that named a checksum which fitted. */
  checksums(): number
  /** From now on it is not there. */
  stop(): Promise<void>
  close(): Promise<void>
}

/**
 * A real S3 server on a port of its own: s3rver, signatures checked. It takes no notice of `If-None-Match` and
 * `x-amz-checksum-sha256` on a PUT, so what stands in front of it does what Amazon documents for both.
 */
export async function startS3(conditional = true): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-s3-'))
  const inner = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'audio', configs: [] }],
  })
  const { port } = await inner.run()
  const seen: Seen = { written: new Set(), checksums: 0 }
  const front = createServer((incoming, answer) => void pass(incoming, answer, port, conditional ? seen : null))
  await new Promise<void>((resolve) => void front.listen(0, '127.0.0.1', resolve))
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await closed(front)
    await inner.close()
  }
  return {
    options: {
      endpoint: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'audio',
      prefix: 'afterword/',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    folder,
    checksums: () => seen.checksums,
    stop,
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Seen {
  /** Names; one that is removed again is never written once more. */
  readonly written: Set<string>
  checksums: number
}

async function pass(incoming: IncomingMessage, answer: ServerResponse, port: number, seen: Seen | null): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const wanted = incoming.headers['x-amz-checksum-sha256']
  if (seen !== null && wanted !== undefined) {
    if (createHash('sha256').update(body).digest('base64') !== wanted) return refuse(answer, 400, 'BadDigest')
    seen.checksums += 1
  }
  const { method, url: path = '', headers } = incoming
  if (seen !== null && method === 'PUT' && headers['if-none-match'] === '*') {
    if (seen.written.has(path)) return refuse(answer, 412, 'PreconditionFailed')
    seen.written.add(path)
  }
  request({ port, host: '127.0.0.1', method, path, headers }, (inner) => {
    answer.writeHead(inner.statusCode ?? 500, inner.headers)
    inner.pipe(answer)
  })
    .on('error', () => answer.destroy())
    .end(body)
}

function refuse(answer: ServerResponse, status: number, code: string): void {
  answer.writeHead(status, { 'Content-Type': 'application/xml' })
  answer.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => void server.close(() => resolve()))
}
