// Installs what tests need, if no prompt is required: with apt-get as root on Debian.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { installLlama } from './llama.mjs'
import { node24, root, run } from './setup.mjs'

const packages = {
  browser: ['chromium'],
  display: ['xvfb'],
  recogniser: ['pocketsphinx', 'pocketsphinx-en-us'],
  'speech-maker': ['flite', 'sox', 'bc'],
  'pdf-reader': ['poppler-utils'],
  keychain: ['dbus', 'gnome-keyring'],
}

const canApt = process.getuid?.() === 0 && existsSync('/etc/debian_version')

async function apt(names) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = ['ignore', 'ignore', 'inherit']
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env, stdio: quiet })
  if ((await install()) === 0) return true
  await run('apt-get', ['update'], { env, stdio: quiet })
  return (await install()) === 0
}

/** Tries once; test/support/machine.ts then reports whether the need is met. */
export async function provide(need) {
  const names = packages[need]
  if (names && canApt) {
    console.log(`Installing ${names.join(', ')} (apt-get).`)
    if (await apt(names)) return
  }
  if (need === 'llama' && process.env['CI'] === 'true') {
    console.log('Installing node-llama-cpp (npm ci in tools/llama).')
    await installLlama()
    return
  }
  if (need === 'browser') {
    console.log('Installing Chromium (playwright install chromium).')
    await run(node24(), [path.join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'])
  }
}
