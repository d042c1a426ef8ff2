// The optional install of tools/llama: kept out of the app's own dependencies, and out of a plain npm ci.
import path from 'node:path'
import { npmCommand, quietly } from './npm.mjs'
import { root, run } from './setup.mjs'

const home = path.join(root, 'tools', 'llama')

export function installLlama() {
  // Scripts would fetch or build binaries; those that are needed come as packages.
  const options = ['ci', '--prefix', home, '--ignore-scripts', ...quietly]
  const { command, args, shell } = npmCommand(options)
  return run(command, args, { shell })
}
