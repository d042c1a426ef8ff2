import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** What becomes of one connection. */
export type Chaos =
  | { readonly kind: 'pass' }
  /** Every piece comes so much later, in both directions. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Broken off (RST) after so many bytes up, or down. */
  | { readonly kind: 'reset'; readonly after: number; readonly direction: 'up' | 'down' }
  /** Accepted and swallowed: nothing ever comes back. */
  | { readonly kind: 'half-open' }
  /** So many bytes a second, in both directions. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** A network that wants to be signed in to answers in the service's place; where TLS is spoken that is no answer. */
  | { readonly kind: 'portal'; readonly status: 200 | 204 | 302 | 511 }
  /** Hung up on with the first bytes, as what does not want TLS to be spoken does. */
  | { readonly kind: 'hang-up' }
  /** The request is carried out; its answer never arrives. */
  | { readonly kind: 'answer-lost' }
  /** The request arrives twice; the second answer is the one that comes back. */
  | { readonly kind: 'twice' }

export interface ChaosProxy {
  readonly port: number
  readonly seen: { connections: number; resets: number; up: number; down: number }
  close(): Promise<void>
}

/** A line on loopback on which connection after connection meets what `chaos` says. Reusable for any TCP service. */
export async function chaosProxy(to: number, chaos: (connection: number) => Chaos): Promise<ChaosProxy> {
  const sockets = new Set<Socket>()
  const seen = { connections: 0, resets: 0, up: 0, down: 0 }
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((caller) => {
    keep(caller)
    const what = chaos(seen.connections)
    seen.connections += 1
    if (what.kind === 'half-open') return void caller.resume()
    if (what.kind === 'hang-up') return void caller.once('data', () => caller.resetAndDestroy())
    if (what.kind === 'portal') return answerAsPortal(caller, what.status)
    const service = (): Socket => keep(connect(to, '127.0.0.1'))
    if (what.kind === 'twice') return sendTwice(caller, service, seen)
    join(caller, service(), what, seen)
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

type Seen = ChaosProxy['seen']
type Joined = Extract<Chaos, { kind: 'pass' | 'late' | 'reset' | 'slow' | 'answer-lost' }>

function join(caller: Socket, service: Socket, what: Joined, seen: Seen): void {
  const breakOff = (): void => {
    if (caller.destroyed) return
    seen.resets += 1
    caller.resetAndDestroy()
    // What was carried up before is carried out.
    service.end()
  }
  const carry = (from: Socket, into: Socket, direction: 'up' | 'down'): void => {
    let carried = 0
    const breaks = what.kind === 'reset' && what.direction === direction ? what.after : Infinity
    const pass = pacedWriter(from, into, what)
    from.on('data', (bytes: Buffer) => {
      if (direction === 'down' && what.kind === 'answer-lost') return breakOff()
      const passed = bytes.subarray(0, Math.max(0, breaks - carried))
      carried += passed.length
      seen[direction] += passed.length
      pass(passed)
      if (carried >= breaks) breakOff()
    })
    // Behind all that is still on its way.
    const last = what.kind === 'late' ? what.ms : 0
    from.on('end', () => setTimeout(() => into.end(), last))
    from.on('close', () => setTimeout(() => into.destroySoon(), last))
  }
  carry(caller, service, 'up')
  carry(service, caller, 'down')
}

function pacedWriter(from: Socket, into: Socket, what: Joined): (bytes: Buffer) => void {
  if (what.kind === 'late') return (bytes) => void setTimeout(() => into.write(bytes), what.ms)
  if (what.kind !== 'slow') return (bytes) => void into.write(bytes)
  return (bytes) => {
    from.pause()
    setTimeout(() => from.resume(), (bytes.length / what.bytesPerSecond) * 1000)
    into.write(bytes)
  }
}

/** As soon as the answer begins, the same bytes go over a second connection, and its answer comes back. */
function sendTwice(caller: Socket, dial: () => Socket, seen: Seen): void {
  const request: Buffer[] = []
  const first = dial()
  let now = first
  caller.on('data', (bytes: Buffer) => {
    seen.up += bytes.length
    if (now === first) request.push(bytes)
    now.write(bytes)
  })
  first.once('data', () => {
    first.destroy()
    now = dial()
    now.write(Buffer.concat(request))
    now.on('data', (bytes: Buffer) => {
      seen.down += bytes.length
      caller.write(bytes)
    })
    now.on('close', () => caller.destroySoon())
  })
  caller.on('close', () => now.destroy())
}

const page = '<!doctype html><title>Welcome</title><p>Accept our terms to go on.'
const headOf = {
  200: 'HTTP/1.1 200 OK\r\nContent-Type: text/html',
  204: 'HTTP/1.1 204 No Content',
  302: 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/sign-in\r\nContent-Type: text/html',
  511: 'HTTP/1.1 511 Network Authentication Required\r\nContent-Type: text/html',
}

function answerAsPortal(caller: Socket, status: 200 | 204 | 302 | 511): void {
  caller.on('data', (bytes: Buffer) => {
    const method = /^([A-Z]+) \//.exec(bytes.toString('latin1'))?.[1]
    // The rest of a request whose head was answered.
    if (method === undefined && caller.bytesWritten > 0) return
    const hasBody = status !== 204
    const length = hasBody ? `\r\nContent-Length: ${page.length}` : ''
    caller.end(`${headOf[status]}${length}\r\nConnection: close\r\n\r\n${hasBody && method !== 'HEAD' ? page : ''}`)
  })
}
