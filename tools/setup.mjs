// Runs under the system's Node (20 or newer) on a fresh machine, before anything is installed: Node built-ins only.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode24, unsupported } from './node24.mjs'
import { isInstalled, npmCommand, quietly, showProgress } from './npm.mjs'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => path.join(root, ...parts)
const machine = {
  root,
  platform: process.platform,
  arch: process.arch,
  running: { version: process.versions.node, program: process.execPath },
}

export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Runs a program to its end and returns the exit code. A signal gives the shell's code. */
export async function run(command, args, options) {
  const { code, signal } = await runToEnd(command, args, options)
  return code ?? (signal === 'SIGINT' ? 130 : 143)
}

/**
 * Runs to the end, output shown, no stdin. Signals are forwarded, but a terminal's Ctrl-C reaches the child directly.
 * @param options `env` is added to the environment; a name with `undefined` is removed
 */
export function runToEnd(command, args, { env = {}, stdio = ['ignore', 'inherit', 'inherit'], shell = false, onOutput } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment(env), stdio, shell })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput)
    const pass = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal))
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, pass)
    child.on('error', (error) => {
      console.error(`${path.basename(command)} could not be started (${error.code}).`)
      resolve({ code: 127, signal: null })
    })
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, pass)
      resolve({ code, signal })
    })
  })
}

/** Puts Node 24 and the project's programs first, also for grandchildren. */
function environment(extra) {
  const node = findNode24(machine)
  const folders = [...(node === null ? [] : [path.dirname(node)]), at('node_modules', '.bin'), process.env['PATH'] ?? '']
  return { ...process.env, PATH: folders.join(path.delimiter), ...extra }
}

export async function install() {
  const sentence = unsupported(machine)
  if (sentence !== null) fail(sentence)
  if (isInstalled(root)) return
  console.log('Installing packages. This takes a few minutes the first time.')
  const { command, args, shell } = npmCommand(['ci', ...quietly])
  const stop = showProgress(root)
  const code = await run(command, args, { shell, stdio: ['ignore', 'ignore', 'inherit'] })
  stop()
  if (code !== 0) fail('The packages could not be installed. The message above is from npm. Fix the cause, then try again.')
  console.log('The packages are installed.')
}

export function node24() {
  const missing = `npm has no Node 24 for ${process.platform} ${process.arch}. Install Node 24 from nodejs.org, then try again.`
  return findNode24(machine) ?? fail(missing)
}

const built = ['src', 'resources', 'package.json', 'package-lock.json', 'electron.vite.config.ts']
const buildStamp = at('out', '.build-stamp')

/** Builds unless out/ was made from exactly these sources. */
export async function build() {
  const stamp = fingerprint(built)
  if (existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === stamp) return
  console.log('Building Afterword.')
  rmSync(buildStamp, { force: true })
  const output = []
  const code = await run(
    node24(),
    [at('node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build', '--logLevel', 'warn'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      onOutput: (part) => output.push(part),
    },
  )
  if (code !== 0) {
    process.stderr.write(Buffer.concat(output))
    fail('Afterword could not be built. The message above is from the build.')
  }
  mkdirSync(at('out'), { recursive: true })
  writeFileSync(buildStamp, stamp)
}

/** SHA-256 over names and contents: detects a checkout of older sources, ignores a touched file. */
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
