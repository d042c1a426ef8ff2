import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listenOnLoopback, supervise, type Supervisor } from '#preview/supervisor.ts'
import { childrenOf } from '#test/support/processes.ts'

/** Its processes are not found by name there. */
const isWindows = process.platform === 'win32'

let folder = ''
let supervisor: Supervisor
let restarts = 0
const ends: (() => void | Promise<void>)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-supervisor-'))
  restarts = 0
  supervisor = await supervise({
    folder,
    port: 0,
    onRestarted: () => (restarts += 1),
    onFailing: () => {
      throw new Error('the core did not start')
    },
  })
})

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await supervisor.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** The timeout is a guard alone. */
const untilRestarted = (times: number) => expect.poll(() => restarts, { timeout: 120_000 }).toBe(times)

/** The process that holds the records, among the children of this one. */
const corePid = (): number => {
  const [core] = childrenOf(process.pid).filter(({ command }) => command.includes('preview-core'))
  if (core === undefined) throw new Error('no core is running')
  return core.id
}

interface Fetched {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Node resolves no names under .localhost everywhere, so the address is given and the name is in Host. */
function fetchPage(address: string, headers: Record<string, string> = {}, host = '127.0.0.1'): Promise<Fetched> {
  const url = new URL(address)
  return new Promise((done, fail) => {
    const options = { host, port: url.port, path: `${url.pathname}${url.search}`, agent: new Agent() }
    get({ ...options, headers: { host: url.host, 'sec-fetch-site': 'none', ...headers } }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (body += part))
      answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    }).on('error', fail)
  })
}

/** A connection that the dying core had is closed, as a crash closes any; the next one waits for the next core. None is refused. */
async function statusInTheEnd(address: string, cookie: string): Promise<number> {
  for (;;) {
    try {
      return (await fetchPage(address, { cookie })).status
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    }
  }
}

async function signIn(): Promise<{ readonly origin: string; readonly cookie: string }> {
  const address = supervisor.freshAddress()
  const entered = await fetchPage(address)
  expect(entered.status).toBe(200)
  return { origin: new URL(address).origin, cookie: entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
}

async function startPortTaker(port: string): Promise<{ readonly child: ChildProcess; readonly taken: string[] }> {
  const child = fork(new URL('./port-taker-child.ts', import.meta.url), [port], { execArgv: [] })
  const taken: string[] = []
  child.on('message', (message: { taken?: string }) => {
    if (message.taken !== undefined) taken.push(message.taken)
  })
  ends.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return { child, taken }
}

test.skipIf(isWindows)(
  'the port is never free while the core is killed again and again, and is free once the supervisor is gone',
  async () => {
    const { origin, cookie } = await signIn()
    const { port } = new URL(origin)
    const { child, taken } = await startPortTaker(port)
    for (let kill = 1; kill <= 8; kill += 1) {
      process.kill(corePid(), 'SIGKILL')
      expect(await statusInTheEnd(`${origin}/nothing`, cookie)).toBe(404)
      await untilRestarted(kill)
    }
    const answered = once(child, 'message')
    child.send({})
    const [{ attempts }] = (await answered) as [{ attempts: number }]
    expect(attempts).toBeGreaterThan(100)
    expect(taken).toEqual([])

    const wasTaken = once(child, 'message')
    await supervisor.close()
    expect((await wasTaken)[0]).toHaveProperty('taken')
  },
)

test.skipIf(isWindows)(
  'the name, the cookie and the key are the same after a restart, and the one-time token stays used',
  async () => {
    const address = supervisor.freshAddress()
    const { origin } = new URL(address)
    const cookie = (await fetchPage(address)).headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const keyOf = ({ body }: Fetched) => /name="afterword-window-key" content="([^"]+)"/.exec(body)?.[1]
    const before = keyOf(await fetchPage(`${origin}/`, { cookie }))
    expect(before).toMatch(/^[\w-]{43}$/)
    process.kill(corePid(), 'SIGKILL')
    await untilRestarted(1)
    expect(keyOf(await fetchPage(`${origin}/`, { cookie }))).toBe(before)
    expect((await fetchPage(address)).status).toBe(403)
    expect(new URL(supervisor.freshAddress()).origin).toBe(origin)
  },
)

test('both loopback addresses are held, so that a browser that tries ::1 first meets nobody else', async () => {
  const { origin, cookie } = await signIn()
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  for (const host of ['127.0.0.1', '::1'].filter((address) => addresses.includes(address)))
    expect((await fetchPage(`${origin}/nothing`, { cookie }, host)).status, host).toBe(404)
})

test('every answer carries the headers that keep other origins and other types away', async () => {
  const { origin, cookie } = await signIn()
  const script = /src="\.?(\/assets\/[^"]+\.js)"/.exec((await fetchPage(`${origin}/`, { cookie })).body)?.[1] ?? ''
  const id = '018f3b1c-0000-7000-8000-000000000000'
  const paths = ['/', script, '/nothing', '/%E0%A4%A', `/media/recordings/${id}`, '/media/x', `/exports/${id}`]
  for (const path of paths) {
    const { headers, status } = await fetchPage(`${origin}${path}`, { cookie })
    expect([path, status < 500, headers['cross-origin-resource-policy']]).toEqual([path, true, 'same-origin'])
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin')
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['cache-control'], path).toBe('no-store')
  }
  expect((await fetchPage(`${origin}/%E0%A4%A`, { cookie })).status).toBe(404)
  // A module worker takes its policy from its own answer.
  expect((await fetchPage(`${origin}${script}`, { cookie })).headers['content-security-policy']).toContain("default-src 'none'")
})

test('a port that another program holds is named as such, on either loopback address', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  ends.push(() => void other.close())
  await expect(listenOnLoopback(port, () => {})).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a core that cannot start is not tried again, and its port is given back', async () => {
  process.env['NODE_OPTIONS'] = `--require ${join(folder, 'missing.cjs')}`
  ends.push(() => void delete process.env['NODE_OPTIONS'])
  const failures: (string | null)[] = []
  const options = { folder: join(folder, 'other'), port: 0, onRestarted: () => {} }
  const failed = await supervise({ ...options, onFailing: (reason) => void failures.push(reason) })
  expect(failures).toEqual([null])
  await expect(fetchPage(failed.freshAddress())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
