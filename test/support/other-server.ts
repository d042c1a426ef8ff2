import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'

interface OtherServer {
  /** Every request line, and every byte that came over a socket. */
  readonly requests: readonly IncomingMessage[]
  readonly frames: readonly Buffer[]
  close(): void
}

/** Another user's program on a port that Afterword left: answers every page, opens every socket, guesses a proof. */
export async function startOtherServer(port: number): Promise<OtherServer> {
  const requests: IncomingMessage[] = []
  const frames: Buffer[] = []
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      frames.push(data)
      const json = Buffer.from(JSON.stringify({ server_nonce: 'n'.repeat(22), server_proof: 'p'.repeat(43) }))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(json.length)
      socket.send(Buffer.concat([length, json]))
    })
  })
  const servers = ['127.0.0.1', '::1'].map((host) => {
    const server = createServer((request, answer) => {
      requests.push(request)
      answer.end('<!doctype html><title>Afterword</title>')
    })
    server.on('upgrade', (request, socket, head) => {
      requests.push(request)
      sockets.handleUpgrade(request, socket, head, (window) => sockets.emit('connection', window))
    })
    return server.listen({ port, host })
  })
  // A machine without IPv6 has no ::1 to listen on.
  await Promise.any(servers.map((server) => once(server, 'listening')))
  for (const server of servers) server.on('error', () => {})
  return {
    requests,
    frames,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
