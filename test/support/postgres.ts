import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'

/** A PostgreSQL of the test file's own. It goes with the process that started it, whatever ends that. */
export interface Postgres {
  /** A database of its own, empty or made like another one; the service's own role owns it, which is no superuser. */
  database(like?: string): Promise<string>
  /** As somebody who may see everything, such as whoever runs the machine. */
  look(url: string): Promise<pg.Client>
  /** The same database at the end of a line that can be cut. */
  line(url: string): Promise<Line>
  stop(): Promise<void>
}

export interface Line {
  readonly url: string
  /** Every connection over it ends, and none can be made. */
  cut(): Promise<void>
  mend(): Promise<void>
}

interface Options {
  /** Whether what was committed is on the disk, as outside of tests. */
  readonly durable?: boolean
}

export async function startPostgres({ durable = false }: Options = {}): Promise<Postgres> {
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'postgres-child.ts'), durable ? 'durable' : 'fast'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => keeper.once('exit', () => resolve()))
  const port = await new Promise<number>((ready, failed) => {
    let said = ''
    keeper.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /^port (\d+)$/m.exec(said)?.[1]
      if (found !== undefined) ready(Number(found))
    })
    keeper.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    keeper.once('exit', () => failed(new Error(`PostgreSQL did not start: ${said}`)))
  })
  const addressOf = (who: string, name: string): string => `postgres://${who}:${who}@127.0.0.1:${port}/${name}`
  const nameIn = (url: string): string => new URL(url).pathname.slice(1)
  await asKeeper((client) => client.query("create role afterword login password 'afterword'"))
  return {
    async database(like) {
      const name = `t${randomBytes(6).toString('hex')}`
      const template = like === undefined ? '' : ` template ${nameIn(like)} strategy file_copy`
      await asKeeper((client) => client.query(`create database ${name} owner afterword${template}`))
      return addressOf('afterword', name)
    },
    async look(url) {
      const types = new pg.TypeOverrides()
      types.setTypeParser(pg.types.builtins.INT8, Number)
      const client = new pg.Client({ connectionString: addressOf('keeper', nameIn(url)), types })
      await client.connect()
      return client
    },
    line: (url) => lineTo(url, port),
    async stop() {
      keeper.stdin.end()
      await ended
    },
  }

  async function asKeeper(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: addressOf('keeper', 'postgres') })
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }
}

async function lineTo(url: string, port: number): Promise<Line> {
  const ends = new Set<Socket>()
  const server = createServer((here) => {
    const there = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      ends.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
    }
  })
  const open = async (at: number): Promise<number> => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const own = await open(0)
  server.unref()
  const address = new URL(url)
  address.port = String(own)
  return {
    url: address.href,
    cut: async () => {
      server.close()
      for (const end of ends) end.destroy()
      await once(server, 'close')
    },
    mend: async () => void (await open(own)),
  }
}
