// Downloads and unpacks Electron's runtime: node tools/fetch-electron.mjs FOLDER [STATE FILE]
// FOLDER is node_modules/electron. With a state file, progress goes to the file and nothing is printed.
import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { electronRuntime } from './electron.mjs'

const [folder, stateFile] = process.argv.slice(2)
const installer = path.join(folder, 'install.js')
const requireFromElectron = createRequire(installer)
let said = -1

/** Renamed into place, so that a reader never sees a partial file. */
function say(percent, state = 'running') {
  if (stateFile) {
    writeFileSync(`${stateFile}.new`, JSON.stringify({ pid: process.pid, percent, state }))
    renameSync(`${stateFile}.new`, stateFile)
  } else if (percent > said) {
    process.stdout.write(process.stdout.isTTY ? `\rDownloading Electron: ${percent}%` : `Downloading Electron: ${percent}%\n`)
  }
  said = percent
}

/** Like Electron's own installer, which shows progress only on a terminal and after 30 s. */
async function download() {
  const { downloadArtifact } = await import(requireFromElectron.resolve('@electron/get'))
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const isRemote = process.env['electron_use_remote_checksums'] || process.env['npm_config_electron_use_remote_checksums']
  await downloadArtifact({
    version,
    artifactName: 'electron',
    force: process.env['force_no_cache'] === 'true',
    cacheRoot: process.env['electron_config_cache'],
    checksums: isRemote ? undefined : JSON.parse(readFileSync(path.join(folder, 'checksums.json'), 'utf8')),
    platform: process.env['npm_config_platform'] || process.platform,
    arch: process.env['npm_config_arch'] || process.arch,
    downloadOptions: {
      quiet: true,
      getProgressCallback: async ({ percent }) => {
        const whole = Math.floor(percent * 100)
        // Steps of 10% for separate lines, 1% for a rewritten line.
        if (whole >= said + (process.stdout.isTTY || stateFile ? 1 : 10)) say(whole)
      },
    },
  })
}

/** From the file just downloaded and verified. */
function unpack() {
  rmSync(path.join(folder, 'path.txt'), { force: true })
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true })
  return spawnSync(process.execPath, [installer], { stdio: stateFile ? 'ignore' : 'inherit' }).status === 0
}

try {
  if (electronRuntime(folder) === null) {
    say(0)
    await download()
    if (!unpack() || electronRuntime(folder) === null) throw new Error('the runtime could not be unpacked')
  }
  say(100, 'done')
  if (!stateFile) console.log(`${process.stdout.isTTY ? '\n' : ''}Electron is installed.`)
} catch (error) {
  say(Math.max(said, 0), 'failed')
  if (!stateFile)
    console.error(
      `\nElectron could not be installed (${error.cause?.code ?? error.message}). Check the network connection and the free disk space, then try again.`,
    )
  process.exitCode = 1
}
