import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../setup.mjs'

/** Threads and engine processes are started by file name, so no import leads to them. */
const entries = ['index.js', 'core-thread.js', 'append-thread.js', 'speech-engine.js', 'llama-engine.js', 'text-engine.js']

/** Packages of the practice's server and the preview. A chunk that imports one is left out of the desktop app. */
export const serverOnly = [
  '@hono/node-server',
  '@rgrove/parse-xml',
  '@tus/server',
  'aws4fetch',
  'pg',
  'pg-boss',
  'prom-client',
  'ws',
]

/** Loaded with `createRequire`, which leaves no import in the build. A test keeps this list complete. */
export const requiredByName = ['rrule-temporal']

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
/** @type {(names: Iterable<string>) => string[]} */
const sorted = (names) => [...new Set(names)].toSorted()
const isChunk = (name) => /\.(js|cjs)$/.test(name) && !name.startsWith('node:')

/** `@scope/name` or `name` of an import such as `hono/cors`. */
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]

/** A dynamic import of a server-only package is cut; a static one is an error. */
export function followImports(chunks, starts = entries, forbidden = serverOnly) {
  /** @type {Set<string>} */
  const files = new Set()
  /** @type {Set<string>} */
  const packages = new Set()
  const isServerChunk = (name, seen = new Set()) => {
    if (seen.has(name)) return false
    seen.add(name)
    return chunks[name].imports.some((target) =>
      chunks[target] ? isServerChunk(target, seen) : forbidden.includes(packageOf(target)),
    )
  }
  const visit = (name, from) => {
    if (files.has(name)) return
    if (!chunks[name]) throw new Error(`${from} imports ${name}, which was not built`)
    files.add(name)
    for (const target of chunks[name].imports) {
      if (isChunk(target) && chunks[target]) visit(target, name)
      else if (forbidden.includes(packageOf(target))) throw new Error(`the desktop app loads ${target} through ${name}`)
      else if (!target.startsWith('node:') && target !== 'electron') packages.add(packageOf(target))
    }
    for (const target of chunks[name].dynamicImports) {
      if (chunks[target]) {
        if (!isServerChunk(target)) visit(target, name)
      } else if (!target.startsWith('node:') && !forbidden.includes(packageOf(target))) packages.add(packageOf(target))
    }
  }
  for (const start of starts) visit(start, 'the app')
  return { files: sorted(files), packages: sorted(packages) }
}

function shippedFiles() {
  const main = followImports(read(path.join(root, 'out', 'main', 'contents.json')).chunks)
  const below = (folder) =>
    readdirSync(path.join(root, 'out', folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^contents.*\.json$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return {
    files: [...main.files.map((name) => `out/main/${name}`), ...below('preload'), ...below('renderer')],
    packages: sorted([...main.packages, ...requiredByName]),
  }
}

/** Resolves like Node: the nearest node_modules upwards. */
function findPackage(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name)
    if (existsSync(path.join(found, 'package.json'))) return found
    if (folder === root) return null
  }
}

/** Headers and type declarations: dependencies that no code loads. */
const isForCompilers = (name) => name.startsWith('@types/') || name === 'node-addon-api'

function withDependencies(names) {
  /** @type {Set<string>} */
  const found = new Set()
  const add = (name, from, isOptional) => {
    if (isForCompilers(name)) return
    const folder = findPackage(name, from)
    if (folder === null) {
      if (!isOptional) throw new Error(`${path.relative(root, from)} needs ${name}, which is not installed`)
      return
    }
    if (found.has(folder)) return
    found.add(folder)
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = read(path.join(folder, 'package.json'))
    for (const next of Object.keys(dependencies)) add(next, folder, next in optionalDependencies)
    for (const next of Object.keys(optionalDependencies)) add(next, folder, true)
    for (const next of Object.keys(peerDependencies)) if (!peerDependenciesMeta[next]?.optional) add(next, folder, false)
  }
  for (const name of names) add(name, root, false)
  return sorted([...found].map((folder) => path.relative(root, folder).replaceAll('\\', '/')))
}

function bundledPackages() {
  const records = ['main/contents.json', 'preload/contents.json', 'renderer/contents.json', 'renderer/contents-of-workers.json']
  return sorted(records.flatMap((file) => read(path.join(root, 'out', ...file.split('/'))).bundled))
}

/** Needs a finished build. `imported`: packages the app imports directly; `packages`: all package folders. */
export function contents() {
  const { files, packages } = shippedFiles()
  return { files, imported: packages, packages: withDependencies(packages), bundled: bundledPackages() }
}

const nameOf = (folder) => folder.split('node_modules/').at(-1)

/** Names of installed production packages the app loads in no version. npm may move copies between folders. */
export function unneededPackages(needed) {
  const names = new Set(needed.map(nameOf))
  const installed = read(path.join(root, 'node_modules', '.package-lock.json')).packages
  const unneeded = Object.entries(installed)
    .filter(([folder, entry]) => folder.includes('node_modules/') && !entry.dev && !names.has(nameOf(folder)))
    .map(([folder]) => nameOf(folder))
  return sorted(unneeded)
}
