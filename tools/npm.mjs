// Installs the locked packages and shows progress. Runs under Node 20: Node built-ins only.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Milliseconds between lines without a terminal; on a terminal one line is rewritten. */
const LINE_EVERY = 10_000
const REWRITE_EVERY = 500

/** npm writes node_modules/.package-lock.json last, so an interrupted installation has none. */
export function isInstalled(root) {
  const wanted = lockedPackages(path.join(root, 'package-lock.json'))
  const present = lockedPackages(path.join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !present) return false
  const same = (name) => present[name]?.version === wanted[name].version && present[name]?.integrity === wanted[name].integrity
  return (
    Object.keys(wanted).every((name) => (wanted[name].optional && !present[name]) || same(name)) &&
    Object.keys(present).every((name) => wanted[name] && existsSync(path.join(root, name)))
  )
}

function lockedPackages(file) {
  if (!existsSync(file)) return null
  const packages = JSON.parse(readFileSync(file, 'utf8')).packages
  return Object.fromEntries(Object.entries(packages).filter(([name, entry]) => name.includes('node_modules/') && !entry.link))
}

function expectedPackages(root) {
  const isHere = (list, value) => !list || list.includes(value) || (list[0]?.startsWith('!') && !list.includes(`!${value}`))
  return Object.entries(lockedPackages(path.join(root, 'package-lock.json')) ?? {})
    .filter(([, { os, cpu }]) => isHere(os, process.platform) && isHere(cpu, process.arch))
    .map(([name]) => path.join(root, name, 'package.json'))
}

/** Hides warnings about the system's Node version: the packages run under the bundled Node 24. */
export const quietly = ['--loglevel=error', '--no-audit', '--no-fund', '--no-progress']

export function npmCommand(args) {
  const npm = process.env['npm_execpath']
  return npm?.endsWith('npm-cli.js')
    ? { command: process.execPath, args: [npm, ...args], shell: false }
    : { command: 'npm', args, shell: process.platform === 'win32' }
}

/** Shows the number of installed packages until the returned function is called. */
export function showProgress(root, out = process.stdout) {
  const expected = expectedPackages(root)
  const line = () => `Installing packages: ${expected.filter((file) => existsSync(file)).length} of ${expected.length}`
  const rewrite = () => out.write(`\r${line()}`)
  const timer = out.isTTY ? setInterval(rewrite, REWRITE_EVERY) : setInterval(() => out.write(`${line()}\n`), LINE_EVERY)
  return () => {
    clearInterval(timer)
    if (out.isTTY) out.write(`\r${' '.repeat(line().length)}\r`)
  }
}
