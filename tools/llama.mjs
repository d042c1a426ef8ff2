// The optional install in tools/llama, separate from the app's dependencies and from a plain npm ci.
import path from 'node:path'
import { npmCommand, quietly } from './npm.mjs'
import { root, run } from './setup.mjs'

const home = path.join(root, 'tools', 'llama')

export function installLlama() {
  // Install scripts would download or build binaries; the required ones are packages.
  const options = ['ci', '--prefix', home, '--ignore-scripts', ...quietly]
  const { command, args, shell } = npmCommand(options)
  return run(command, args, { shell })
}
