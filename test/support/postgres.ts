import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'

/** A PostgreSQL of the test file's own. It goes with the process that started it, whatever ends that. */
export interface Postgres {
  /** A database of its own, empty or made like another one; the service's own role owns it, which is no superuser. */
  database(like?: string): Promise<string>
  /** As somebody who may see everything, such as whoever runs the machine. */
  look(url: string): Promise<pg.Client>
  /** Ends all connections to it and takes no new ones, until it is called back. */
  cutOff(url: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

interface Options {
  /** Whether what was committed is on the disk, as outside of tests. */
  readonly durable?: boolean
}

export async function startPostgres({ durable = false }: Options = {}): Promise<Postgres> {
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'postgres-keeper.ts'), durable ? 'durable' : 'fast'], {
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
    async cutOff(url) {
      const name = nameIn(url)
      await asKeeper(async (client) => {
        await client.query(`alter database ${name} allow_connections false`)
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      })
      return () => asKeeper((client) => client.query(`alter database ${name} allow_connections true`))
    },
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
