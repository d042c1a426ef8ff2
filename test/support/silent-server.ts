import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SilentServer {
  readonly origin: string
  /** What it was asked, e.g. `POST /v1/sessions`, in order. */
  readonly asked: string[]
  /** The same request, to here instead. */
  instead(request: Request): Request
}

/** Takes every connection and every request, and never answers one. */
export async function startSilentServer(): Promise<SilentServer> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request) => {
    asked.push(`${request.method} ${request.url?.replace(/\?.*$/, '')}`)
    request.resume()
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    instead(request) {
      const { pathname, search } = new URL(request.url)
      return new Request(origin + pathname + search, request)
    },
  }
}
