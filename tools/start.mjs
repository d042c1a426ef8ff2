// npm start: Electron if its runtime is installed and can run, else the preview in an installed Chromium.
import path from 'node:path'
import { electronRuntime, fetchInBackground, isSandboxCrash, sandboxProblem, withoutNodeSettings } from './electron.mjs'
import { build, install, node24, root, run, runToEnd } from './setup.mjs'

const electronFolder = path.join(root, 'node_modules', 'electron')
const stateFile = path.join(root, 'out', 'electron-download.json')
const { platform } = process
const uid = process.getuid?.()
const hasDisplay = platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
/** Electron's own variables: the user supplies the runtime, or none. */
const mayFetch = !process.env['ELECTRON_SKIP_BINARY_DOWNLOAD'] && !process.env['ELECTRON_OVERRIDE_DIST_PATH']

function openPreview() {
  return run(node24(), [path.join(root, 'out', 'main', 'preview.js')])
}

/** Null if Electron could not start its sandbox. */
async function openElectron(program) {
  console.log('Opening Afterword in Electron.')
  const began = Date.now()
  // Chromium's sandbox does not work for root; it is never disabled for other users.
  const flags = uid === 0 ? ['--no-sandbox'] : []
  const end = await runToEnd(program, [...flags, root], { env: withoutNodeSettings })
  if (isSandboxCrash(end, Date.now() - began)) return null
  return end.code ?? (end.signal === 'SIGINT' ? 130 : 143)
}

async function openPreviewAndFetch() {
  if (!mayFetch) {
    console.log('Electron is not installed, so Afterword opens in a browser.')
    return openPreview()
  }
  const download = await fetchInBackground({ node: node24(), folder: electronFolder, stateFile })
  if (!download.begun) {
    console.log('Electron is not installed and cannot be downloaded now, so Afterword opens in a browser.')
    return openPreview()
  }
  console.log('Electron is not installed yet, so Afterword opens in a browser.')
  console.log('Downloading Electron in the background (about 110 MB).')
  const stop = download.watch((line) => console.log(line))
  const code = await openPreview()
  stop()
  return code
}

async function open() {
  const electron = electronRuntime(electronFolder)
  // The preview reports that there is no display.
  if (!hasDisplay) return openPreview()
  if (electron === null) return openPreviewAndFetch()
  const problem = sandboxProblem(electron, { platform, uid })
  if (problem !== null) {
    console.log(problem)
    return openPreview()
  }
  const code = await openElectron(electron)
  if (code !== null) return code
  console.log('Electron crashed while starting, so Afterword opens in a browser. The usual cause is a blocked sandbox.')
  return openPreview()
}

await install()
await build()
process.exitCode = await open()
