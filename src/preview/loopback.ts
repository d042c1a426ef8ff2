import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface Loopback {
  readonly port: number
  close(): void
}

const ATTEMPTS = 20

/**
 * Listens on 127.0.0.1 and ::1 on one port. Browsers resolve a .localhost name to either address, so another program
 * could take a port that is free on one of them.
 * @param port 0 for any free port
 * @param onConnection receives each connection paused and unread
 * @throws Error `EADDRINUSE` if the requested port is in use
 */
export async function listenOnLoopback(port: number, onConnection: (socket: Socket) => void): Promise<Loopback> {
  for (let attempt = 1; ; attempt += 1) {
    const four = await listen('127.0.0.1', port, onConnection)
    const own = (four.address() as AddressInfo).port
    try {
      const six = await listenWhereThereIsOne('::1', own, onConnection)
      return {
        port: own,
        close() {
          four.close()
          six?.close()
        },
      }
    } catch (error) {
      four.close()
      if (port !== 0 || attempt === ATTEMPTS) throw error
    }
  }
}

/** Null if this machine does not have the address. No other program can listen on it either then. */
async function listenWhereThereIsOne(...parts: Parameters<typeof listen>): Promise<Server | null> {
  try {
    return await listen(...parts)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return null
    throw error
  }
}

function listen(host: string, port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer({ pauseOnConnect: true }, onConnection)
    server.once('error', fail)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', fail)
      done(server)
    })
  })
}
