import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer as listen } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Upload } from 'tus-js-client'
import { sessionOgg } from '../service-kit.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Opus in Ogg by its first page; what follows nobody listens to here. */
export function someAudio(bytes: number): Buffer {
  return Buffer.concat([sessionOgg.subarray(0, Math.min(bytes, 4096)), randomBytes(Math.max(0, bytes - 4096))])
}

/** The service over real HTTP on loopback. */
export async function overHttp(
  fetch: (request: Request) => Promise<Response>,
): Promise<{ port: number; close(): Promise<void> }> {
  const listener = getRequestListener(fetch)
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

/** A line that breaks after so many bytes, again and again, until it has broken `cuts` times. */
export async function breakingLine(to: number, cuts: number, nextCut: () => number) {
  const sockets = new Set<Socket>()
  const seen = { cuts: 0, passed: 0 }
  let left = nextCut()
  const server = listen((caller) => {
    const service = connect(to, '127.0.0.1')
    for (const socket of [caller, service]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    service.pipe(caller)
    caller.on('end', () => service.end())
    caller.on('data', (bytes: Buffer) => {
      const passed = seen.cuts < cuts ? bytes.subarray(0, left) : bytes
      seen.passed += passed.length
      left -= passed.length
      service.write(passed)
      if (left > 0 || seen.cuts >= cuts) return
      seen.cuts += 1
      left = nextCut()
      caller.destroy()
      service.end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

interface Sending {
  readonly key?: string | null
  readonly metadata?: Record<string, string>
  readonly chunkSize?: number
}

/** By tus-js-client, as any app would; the id of the upload once all of it is there. */
export function send(
  base: string,
  bytes: Buffer,
  { key = null, metadata = {}, chunkSize = Infinity }: Sending = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(bytes, {
      endpoint: `${base}/uploads`,
      headers: key === null ? {} : { Authorization: `Bearer ${key}` },
      metadata: { sha256: sha256(bytes), ...metadata },
      chunkSize,
      // A line may break before anything got through, many times in turn.
      retryDelays: Array.from({ length: 1000 }, () => 0),
      onSuccess: () => resolve(upload.url!.split('/').at(-1)!),
      onError: reject,
    })
    upload.start()
  })
}
