// npm start: Electron where its runtime is there or can be fetched quickly, else the preview in an installed Chromium.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build, install, node24, root, run } from './setup.mjs'

const electronFolder = path.join(root, 'node_modules', 'electron')
const fetchSeconds = 10

function electronRuntime() {
  const pathFile = path.join(electronFolder, 'path.txt')
  if (!existsSync(pathFile)) return null
  const program = path.join(electronFolder, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(program) ? program : null
}

/** Electron's own installer, given up after ten seconds; a runtime that came only half is not used. */
function fetchElectron() {
  return new Promise((resolve) => {
    const child = spawn(node24(), [path.join(electronFolder, 'install.js')], { cwd: root, stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), fetchSeconds * 1000)
    child.on('error', () => resolve(null))
    child.on('exit', () => {
      clearTimeout(timer)
      resolve(electronRuntime())
    })
  })
}

const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
const isRoot = process.getuid?.() === 0

await install()
await build()
const electron = electronRuntime() ?? (await fetchElectron())
if (electron && hasDisplay) {
  console.log('afterword: opening in Electron')
  process.exitCode = await run(electron, [...(isRoot ? ['--no-sandbox'] : []), root])
} else {
  const why = electron
    ? 'there is no display'
    : `the Electron runtime is not installed and could not be fetched within ${fetchSeconds} s`
  console.log(`afterword: opening the preview in a browser, because ${why}`)
  const env = hasDisplay ? {} : { AFTERWORD_NO_OPEN: process.env['AFTERWORD_NO_OPEN'] ?? '1' }
  process.exitCode = await run(node24(), [path.join(root, 'out', 'main', 'preview.js')], { env })
}
