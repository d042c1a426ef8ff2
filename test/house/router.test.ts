import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { request } from 'node:https'
import { createServer as createListener } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { repository } from '#test/support/machine.ts'

const home = join(repository, 'tools', 'container')
const router = readFileSync(join(home, 'Caddyfile.router'), 'utf8')
const map = readFileSync(join(home, 'practices.map'), 'utf8')

const hasCaddy = (() => {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test('every practice of the map has one host name, and a node that the router knows', () => {
  const lines = map
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  const nodes = [...router.matchAll(/@(\S+) vars \{node\} (\S+)\n\thandle @(\S+) \{/g)].map(([, ...names]) => new Set(names))
  for (const names of nodes) expect(names.size).toBe(1)
  const known = nodes.map((names) => [...names][0])
  for (const line of lines)
    expect(line).toEqual([expect.stringMatching(/^[a-z0-9.-]+$/), expect.toSatisfy((node) => known.includes(node))])
  expect(new Set(lines.map(([host]) => host)).size).toBe(lines.length)
  expect(router).toContain('import practices.map')
})

test('the router keeps the addresses of the machinery inside', () => {
  expect(router).toMatch(/@inside path \/healthz \/readyz \/metrics\n\thandle @inside \{\n\t\trespond 404/)
})

// Debian and Ubuntu have it as the package caddy.
describe.skipIf(!hasCaddy)('Caddy with this configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-router-'))
  const at = (name: string): string => join(folder, name)
  const nodes: Server[] = []
  let caddy: ChildProcess
  let exited: Promise<unknown>
  let port: number
  let environment: NodeJS.ProcessEnv

  /** A node that says who it is and whom it was asked by. */
  async function startNode(name: string): Promise<string> {
    const server = createServer((asked, answer) => answer.end(`${name} ${String(asked.headers['x-forwarded-for'])}`))
    nodes.push(server)
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const freePort = (): Promise<number> =>
    new Promise((resolve) => {
      const listener = createListener().listen(0, '127.0.0.1', () => {
        const found = (listener.address() as AddressInfo).port
        listener.close(() => resolve(found))
      })
    })

  beforeAll(async () => {
    for (const name of ['Caddyfile.router', 'practices.map']) copyFileSync(join(home, name), at(name))
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const named = ['-subj', '/CN=notes.example', '-addext', 'subjectAltName=DNS:*.notes.example']
    execFileSync('openssl', [...made, '-keyout', at('key.pem'), '-out', at('certificate.pem'), ...named], { stdio: 'ignore' })
    port = await freePort()
    environment = {
      ...process.env,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      ROUTER_ADMIN: `unix/${at('admin')}`,
      ROUTER_HOSTS: `*.notes.example:${port}`,
      ROUTER_CERTIFICATE: at('certificate.pem'),
      ROUTER_KEY: at('key.pem'),
      NODE_1: await startNode('first'),
      NODE_2: await startNode('second'),
    }
    caddy = spawn('caddy', ['run', '--config', at('Caddyfile.router')], { env: environment, stdio: 'ignore' })
    exited = new Promise((resolve) => caddy.once('exit', resolve))
    const isUp = vi.waitUntil(() => ask('ash.notes.example').catch(() => null), { timeout: 20_000, interval: 50 })
    await Promise.race([isUp, exited.then(() => Promise.reject(new Error('Caddy did not start')))])
  })
  afterAll(async () => {
    caddy.kill()
    await exited
    for (const node of nodes) node.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function ask(host: string, path = '/v1', headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    const options = { host: '127.0.0.1', port, path, servername: host, ca: readFileSync(at('certificate.pem')), agent: false }
    return new Promise((resolve, reject) => {
      const asked = request({ ...options, headers: { Host: `${host}:${port}`, ...headers } }, (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      asked.on('error', reject)
      asked.end()
    })
  }

  test('sends each practice to its node, and no other host anywhere', async () => {
    expect(await ask('ash.notes.example')).toEqual({ status: 200, text: 'first 127.0.0.1' })
    expect((await ask('birch.notes.example')).text).toBe('second 127.0.0.1')
    expect((await ask('cedar.notes.example')).status).toBe(421)
    expect((await ask('ash.notes.example', '/v1', { 'X-Forwarded-For': '203.0.113.9' })).text).not.toBe('first 203.0.113.9')
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await ask('ash.notes.example', path)).status).toBe(404)
  })

  test('sends a practice that moved to its new node once the map says so', async () => {
    writeFileSync(at('practices.map'), map.replace('birch.notes.example node-2', 'birch.notes.example node-1'))
    execFileSync('caddy', ['reload', '--config', at('Caddyfile.router'), '--address', `unix/${at('admin')}`], {
      env: environment,
      stdio: 'ignore',
    })
    await vi.waitUntil(async () => (await ask('birch.notes.example')).text.startsWith('first'), { timeout: 10_000 })
  })
})
