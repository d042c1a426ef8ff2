import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { newKey } from '#base/aead.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { Service } from '#service/compose/open-service.ts'
import { openService } from '#service/compose/open-service.ts'
import { chainsOf } from '#service/operate/copy.ts'
import { openStore } from '#service/store/open-store.ts'
import { leftOut } from '#test/support/left-out.ts'
import { findPostgresTools, unmet } from '#test/support/machine.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** The commands of a page's code blocks that begin with one of these words. */
function commandsIn(page: string, ...programs: readonly string[]): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../..', page), 'utf8')
  const lines = text.split('\n').map((line) => line.slice(4))
  return lines.filter((line) => programs.some((program) => line.startsWith(`${program} `)))
}

/** A server of the machine's own PostgreSQL, of the same version as its tools, and those tools as its superuser runs them. */
async function startServer(tools: string) {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-dump-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  // As root the database runs as another user.
  const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (somebody.uid !== undefined) chownSync(folder, somebody.uid, somebody.gid)
  const own = createServer().listen(0, '127.0.0.1')
  await once(own, 'listening')
  const { port } = own.address() as AddressInfo
  own.close()
  await once(own, 'close')
  const env = {
    PATH: `${tools}:${process.env['PATH']}`,
    LC_ALL: 'C.UTF-8',
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'keeper',
    PGPASSWORD: 'none',
  }
  const data = join(folder, 'data')
  const init = ['--pgdata', data, '--username=keeper', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(tools, 'initdb'), init, { ...somebody, cwd: folder, env, stdio: 'ignore' })
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off', '-p', String(port)]
  const server = spawn(join(tools, 'postgres'), ['-D', data, ...settings], { ...somebody, cwd: folder, env, stdio: 'ignore' })
  const ended = once(server, 'exit')
  closers.push(async () => {
    server.kill('SIGQUIT')
    await ended
  })
  const addressOf = (name: string, role = 'afterword'): string => `postgres://${role}:none@127.0.0.1:${port}/${name}`
  const ask = async (text: string, name = 'postgres', role = 'keeper') => {
    const client = new pg.Client({ connectionString: addressOf(name, role) })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }
  await vi.waitUntil(() => ask('select 1').catch(() => null), { timeout: 60_000, interval: 50 })
  const run = (command: string, more: Record<string, string> = {}): void =>
    void execFileSync('sh', ['-c', command], {
      ...somebody,
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  return { folder, addressOf, ask, run }
}

const tools = findPostgresTools()

test.skipIf(leftOut('dump and restore with pg_dump', await unmet('postgres-tools')))(
  'PostgreSQL’s own tools, as the operators’ page has them, bring everything back: records, keys, audit chain and walls',
  async () => {
    const { folder, addressOf, ask, run } = await startServer(tools!)
    await ask('create role afterword login nosuperuser nobypassrls')
    await ask('create database afterword owner afterword')
    const key = newKey()
    const open = async (name: string): Promise<Service> => {
      mkdirSync(join(folder, 'models'), { recursive: true })
      const service = await openService({
        store: { kind: 'postgres', url: addressOf(name), key: Uint8Array.from(key) },
        audio: null,
        speech: () => null,
        clock: systemClock,
        log: silentLog,
        consentPolicy: 'asserted',
        caller: 'api-keys',
        models: { folder: join(folder, 'models') },
      })
      closers.push(() => service.close())
      return service
    }
    const chains = async (name: string) => {
      const db = await openStore({ kind: 'postgres', url: addressOf(name), key: Uint8Array.from(key) })
      try {
        return await chainsOf(db)
      } finally {
        await db.destroy()
      }
    }
    const service = await open('afterword')
    const headers = { Authorization: `Bearer ${service.ownerKey}`, 'Content-Type': 'application/json' }
    const call = (at: Service, method: string, path: string, body?: unknown) =>
      at.fetch(
        new Request(`http://x/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
      )
    const names = async (at: Service): Promise<string[]> =>
      ((await (await call(at, 'GET', '/clients')).json()) as { data: { display_name: string }[] }).data.map(
        ({ display_name }) => display_name,
      )
    for (const display_name of ['Quillon Ferreira', 'Maren Voss'])
      expect((await call(service, 'POST', '/clients', { display_name })).status).toBe(201)
    const before = await chains('afterword')

    const commands = commandsIn('docs/operating.md', 'pg_dump', 'createdb', 'pg_restore')
    expect(commands.map((command) => command.split(' ')[0])).toEqual(['pg_dump', 'createdb', 'pg_restore'])
    // The service's own role cannot: it would leave out what it may not see.
    expect(() => run(commands[0]!, { PGUSER: 'afterword' })).toThrow(/row-level security/)
    for (const command of commands) run(command)

    expect(readFileSync(join(folder, 'afterword.dump')).includes('Quillon')).toBe(false)
    expect(await chains('afterword_new')).toEqual(before)
    // Row-level security stands in the restored database too.
    expect(await ask('select id from clients', 'afterword_new', 'afterword')).toEqual([])
    const restored = await open('afterword_new')
    expect(restored.ownerKey).toBeNull()
    expect(await names(restored)).toEqual(['Quillon Ferreira', 'Maren Voss'])
    expect((await call(restored, 'POST', '/clients', { display_name: 'Ada Lind' })).status).toBe(201)
    expect(await names(service)).toHaveLength(2)
  },
)
