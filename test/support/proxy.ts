import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'

export interface Proxy {
  /** As the environment names it. */
  readonly address: string
  /** What it was asked for: whole addresses, and `CONNECT host:port`. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

interface ProxyBehavior {
  readonly tunnelStatus?: number
  /** Names that only this proxy can resolve. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** A forward proxy as a practice has one: plain requests by their whole address, everything else through a tunnel. */
export async function startProxy({ tunnelStatus = 200, hosts = {} }: ProxyBehavior = {}): Promise<Proxy> {
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.url ?? '')
    const { host: _, ...headers } = incoming.headers
    const onward = request(incoming.url ?? '', { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    if (tunnelStatus !== 200) return void socket.end(`HTTP/1.1 ${tunnelStatus} No\r\n\r\n`)
    const [host = '', port] = (incoming.url ?? '').split(':')
    const onward = connect(Number(port), hosts[host] ?? host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad gateway\r\n\r\n'))
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
