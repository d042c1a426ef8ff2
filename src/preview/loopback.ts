import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface Loopback {
  readonly port: number
  close(): void
}

const ATTEMPTS = 20

/**
 * Listens on 127.0.0.1 and on ::1, on one port: a browser takes a name under .localhost to either, so a port that is free
 * on one of them could be taken by another program.
 *
 * @param port 0 for any free one
 * @param onConnection gets each connection paused, with nothing read from it
 * @throws Error `EADDRINUSE` where the port was asked for and is in use
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

/** Null where this machine has no such address: then no other program can listen on it either. */
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
