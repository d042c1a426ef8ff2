// node tools/package/verify.mjs [program]: reads the fuses of a finished package, then starts it with --self-test.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { fail, root } from '../setup.mjs'
import { packagingConfiguration } from './config.mjs'

const MAX_SELF_TEST_MS = 5 * 60_000

/** Where electron-builder leaves the app before building an installer. */
const built = {
  linux: ['linux-unpacked/afterword', 'linux-arm64-unpacked/afterword'],
  darwin: ['mac/Afterword.app/Contents/MacOS/Afterword', 'mac-arm64/Afterword.app/Contents/MacOS/Afterword'],
  win32: ['win-unpacked/Afterword.exe'],
}

/** electron-builder's fuse names, mapped to those of @electron/fuses. */
const fuseNames = {
  runAsNode: 'RunAsNode',
  enableCookieEncryption: 'EnableCookieEncryption',
  enableNodeOptionsEnvironmentVariable: 'EnableNodeOptionsEnvironmentVariable',
  enableNodeCliInspectArguments: 'EnableNodeCliInspectArguments',
  enableEmbeddedAsarIntegrityValidation: 'EnableEmbeddedAsarIntegrityValidation',
  onlyLoadAppFromAsar: 'OnlyLoadAppFromAsar',
  loadBrowserProcessSpecificV8Snapshot: 'LoadBrowserProcessSpecificV8Snapshot',
  grantFileProtocolExtraPrivileges: 'GrantFileProtocolExtraPrivileges',
}

function findProgram() {
  const named = process.argv[2]
  const candidates = named ? [path.resolve(named)] : built[process.platform].map((file) => path.join(root, 'dist', file))
  return candidates.find((file) => existsSync(file)) ?? fail(`no package was found: ${candidates.join(', ')}`)
}

async function checkFuses(program) {
  const wire = await getCurrentFuseWire(program)
  // Signing settings change no fuse that is checked here.
  const wanted = packagingConfiguration({}).electronFuses
  for (const [name, option] of Object.entries(fuseNames)) {
    const isOn = wire[FuseV1Options[option]] === FuseState.ENABLE
    console.log(`${option}: ${isOn ? 'on' : 'off'}`)
    if (isOn !== wanted[name]) fail(`the fuse ${option} is ${isOn ? 'on' : 'off'}, and has to be ${wanted[name] ? 'on' : 'off'}`)
  }
}

const program = findProgram()
await checkFuses(program)
const { status, signal, error } = spawnSync(program, ['--self-test'], { stdio: 'inherit', timeout: MAX_SELF_TEST_MS })
if (status !== 0) fail(`the self-test ended with ${error?.message ?? signal ?? status}`)
console.log('The package passed its self-test.')
