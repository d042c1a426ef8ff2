// The four native modules, by the file each target's package must contain.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { binaryFormat } from './binary-format.mjs'

const triplets = {
  'linux-x64': 'linux-x64-gnu',
  'linux-arm64': 'linux-arm64-gnu',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64-msvc',
}
const onnxRuntimes = { linux: 'libonnxruntime.so', darwin: 'libonnxruntime.*dylib', win32: 'onnxruntime.dll' }

/** Relative to the folder that contains node_modules; the last part may be a file name pattern. */
function nativeFiles(platform, arch) {
  const triplet = triplets[`${platform}-${arch}`]
  if (!triplet) throw new Error(`Afterword has no package for ${platform}-${arch}: a native module is not built for it`)
  const sherpa = `node_modules/sherpa-onnx-${platform === 'win32' ? 'win' : platform}-${arch}`
  return [
    `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`,
    `node_modules/@napi-rs/keyring-${triplet}/keyring.${triplet}.node`,
    `node_modules/@node-rs/argon2-${triplet}/argon2.${triplet}.node`,
    `${sherpa}/sherpa-onnx.node`,
    `${sherpa}/${onnxRuntimes[platform]}`,
  ]
}

function isThere(folder, file) {
  const directory = path.join(folder, path.dirname(file))
  const name = new RegExp(`^${path.basename(file)}$`)
  return existsSync(directory) && readdirSync(directory).some((entry) => name.test(entry))
}

export function nativeProblems(folder, platform, arch) {
  const missing = nativeFiles(platform, arch).filter((file) => !isThere(folder, file))
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  const foreign = all
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file, format: binaryFormat(file) }))
    .filter(({ format }) => format !== null && (format.platform !== platform || format.arch !== arch))
  return [
    ...missing.map((file) => `${file} is missing: build each system and processor on a machine of its own`),
    ...foreign.map(({ file, format }) => `${path.relative(folder, file)} is built for ${format.platform}-${format.arch}`),
  ]
}
