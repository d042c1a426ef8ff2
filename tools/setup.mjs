// Runs under the system's Node (20 or newer) on a fresh machine, before anything is installed: Node built-ins only.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => path.join(root, ...parts)
const bin = at('node_modules', '.bin')

/** Ends the run with one sentence, no stack. */
export function fail(sentence) {
  console.error(`afterword: ${sentence}`)
  process.exit(1)
}

/** Runs to the end, output shown, no stdin; answers the exit code. Signals are passed on, but a terminal's Ctrl-C reaches the child by itself. */
export function run(command, args, { env = {}, stdio = ['ignore', 'inherit', 'inherit'], shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment(env), stdio, shell })
    const pass = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal))
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, pass)
    child.on('error', (error) => {
      console.error(`afterword: ${path.basename(command)} could not be started (${error.code})`)
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, pass)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

/** The project's own programs first, Node 24 among them, for whatever a child starts in turn. */
function environment(extra) {
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`, ...extra }
}

/** Installs the locked dependencies unless what stands in node_modules is exactly what package-lock.json names. */
export async function install() {
  if (isInstalled()) return
  console.log('afterword: installing the locked dependencies (npm ci)')
  const npm = process.env['npm_execpath']
  const code = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, 'ci'])
    : await run('npm', ['ci'], { shell: process.platform === 'win32' })
  if (code !== 0) fail('npm ci did not succeed; its own message stands above')
}

/**
 * npm writes node_modules/.package-lock.json last, after everything is in place: an interrupted installation has none.
 * Optional packages of other platforms are in the lockfile only.
 */
function isInstalled() {
  const wanted = lockedPackages(at('package-lock.json'))
  const present = lockedPackages(at('node_modules', '.package-lock.json'))
  if (!wanted || !present) return false
  const same = (name) => present[name]?.version === wanted[name].version && present[name]?.integrity === wanted[name].integrity
  return (
    Object.keys(wanted).every((name) => (wanted[name].optional && !present[name]) || same(name)) &&
    Object.keys(present).every((name) => wanted[name] && existsSync(at(name)))
  )
}

function lockedPackages(file) {
  if (!existsSync(file)) return null
  const packages = JSON.parse(readFileSync(file, 'utf8')).packages
  return Object.fromEntries(Object.entries(packages).filter(([name, entry]) => name.includes('node_modules/') && !entry.link))
}

/** Node 24: the one npm brought, else the one we run on. */
export function node24() {
  const brought = path.join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(brought)) return brought
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail('npm has no Node 24 for this platform: install Node 24 and start again')
}

const built = ['src', 'resources', 'package.json', 'package-lock.json', 'electron.vite.config.ts']
const buildStamp = at('out', '.build-stamp')

/** Builds when out/ was not made from exactly these sources. */
export async function build() {
  const stamp = fingerprint(built)
  if (existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === stamp) return
  console.log('afterword: building')
  rmSync(buildStamp, { force: true })
  const code = await run(node24(), [
    at('node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
    'build',
    '--logLevel',
    'warn',
  ])
  if (code !== 0) fail('the build did not succeed')
  mkdirSync(at('out'), { recursive: true })
  writeFileSync(buildStamp, stamp)
}

/** SHA-256 over names and contents: a checkout of older sources is noticed, a touched file is not. */
function fingerprint(names) {
  const hash = createHash('sha256')
  const add = (file) => hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  for (const name of names) {
    if (path.extname(name)) add(at(name))
    else for (const file of filesBelow(at(name))) add(file)
  }
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .toSorted()
}
