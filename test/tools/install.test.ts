import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repository } from '#test/support/machine.ts'

let folder = ''
let project = ''
let close = (): void => {}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-install-'))
  project = join(folder, 'project')
  mkdirSync(project)
  cpSync(join(repository, 'tools'), join(project, 'tools'), { recursive: true, filter: (file) => !file.includes('node_modules') })
})
afterEach(() => {
  close()
  rmSync(folder, { recursive: true, force: true })
})

/** A package that requires a Node version that does not exist, on a registry on loopback, and a project that locks it. */
async function lockStrictPackage(): Promise<void> {
  const source = join(folder, 'strict')
  mkdirSync(source)
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'strict', version: '1.0.0', engines: { node: '>=99' } }))
  const [packed] = JSON.parse(npm(['pack', '--json'], source)) as [{ filename: string }]
  const archive = readFileSync(join(source, packed.filename))
  const server = createServer((_request, answer) => void answer.end(archive)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => void server.close()
  const resolved = `http://127.0.0.1:${(server.address() as AddressInfo).port}/strict-1.0.0.tgz`
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  lock({ version: '1.0.0', resolved, integrity, engines: { node: '>=99' } })
}

function lock(strict: Record<string, unknown>): void {
  const root = { name: 'project', version: '1.0.0', dependencies: { strict: '1.0.0' } }
  writeFileSync(join(project, 'package.json'), JSON.stringify(root))
  const packages = { '': root, 'node_modules/strict': strict }
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ ...root, lockfileVersion: 3, packages }))
}

/** Without the variables npm sets for scripts, among them the npm that runs these tests. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS)/i.test(name))
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((part) => !part.startsWith(join(repository, 'node_modules')))
  return {
    ...Object.fromEntries(own),
    PATH: folders.join(delimiter),
    npm_config_cache: join(folder, 'cache'),
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_fetch_retries: '0',
  }
}

function npm(args: readonly string[], cwd: string): string {
  const shell = process.platform === 'win32'
  return execFileSync('npm', args, { cwd, shell, env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

interface Ended {
  readonly code: number | null
  readonly printed: string
}

/** What npm start, npm test and npm run check do first, under the system's own Node. */
async function install(): Promise<Ended> {
  const program = "import('./tools/setup.mjs').then(({ install }) => install())"
  const child = spawn('node', ['-e', program], { cwd: project, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed }
}

test('an installation prints what it does and no warning, though a package asks for a newer Node', async () => {
  await lockStrictPackage()
  const { code, printed } = await install()
  expect(printed).toBe('Installing packages. This takes a few minutes the first time.\nThe packages are installed.\n')
  expect(code).toBe(0)
  expect(existsSync(join(project, 'node_modules', 'strict', 'package.json'))).toBe(true)
  // A second start has nothing to do and says nothing.
  expect(await install()).toEqual({ code: 0, printed: '' })
  // The package is as strict as it says: npm itself warns.
  const shell = process.platform === 'win32'
  expect(spawnSync('npm', ['ci'], { cwd: project, shell, env: environment(), encoding: 'utf8' }).stderr).toContain('EBADENGINE')
})

test('an installation that fails shows npm’s own error and says what to do, without a stack', async () => {
  lock({ version: '1.0.0', resolved: 'http://127.0.0.1:9/strict-1.0.0.tgz', integrity: 'sha512-AAAA' })
  const { code, printed } = await install()
  expect(code).toBe(1)
  expect(printed).toMatch(/npm error .*ECONNREFUSED/)
  expect(printed).toContain('The packages could not be installed. The message above is from npm.')
  expect(printed).not.toMatch(/npm warn|^\s+at /m)
})

test('a package that is missing is installed again', async () => {
  await lockStrictPackage()
  await install()
  rmSync(join(project, 'node_modules', 'strict'), { recursive: true })
  expect((await install()).printed).toContain('Installing packages.')
  expect(existsSync(join(project, 'node_modules', 'strict', 'package.json'))).toBe(true)
})
