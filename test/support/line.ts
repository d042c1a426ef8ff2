import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Line {
  /** In the place of the service's own address. */
  readonly address: string
  /** Nothing gets through until it is mended, and what was open is cut. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/**
 * A line on loopback to a service, as a laptop that comes and goes has it. It says whose calls these are: a machine that
 * runs tests has no keychain to keep a key in.
 */
export async function lineTo(service: string, key: string): Promise<Line> {
  const there = new URL(service)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: there.host, authorization: `Bearer ${key}` }
    const asking = request({ host: there.hostname, port: there.port, path: asked.url, method: asked.method, headers }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers)
      told.pipe(answer)
      told.on('error', () => answer.destroy())
    })
    asking.on('error', () => answer.destroy())
    answer.on('close', () => asking.destroy())
    asked.pipe(asking)
  })
  server.on('connection', (socket) => {
    if (isCut) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${there.pathname}`,
    cut() {
      isCut = true
      cutAll()
    },
    mend() {
      isCut = false
    },
    close() {
      cutAll()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}
