// The optional install of tools/llama: kept out of the app's own dependencies, and out of a plain npm ci.
import path from 'node:path'
import { root, run } from './setup.mjs'

const home = path.join(root, 'tools', 'llama')

export function installLlama() {
  // Scripts would fetch or build binaries; those that are needed come as packages. A fetch that fails is tried again by npm.
  const options = ['ci', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund']
  const npm = process.env['npm_execpath']
  return npm?.endsWith('.js')
    ? run(process.execPath, [npm, ...options])
    : run('npm', options, { shell: process.platform === 'win32' })
}
