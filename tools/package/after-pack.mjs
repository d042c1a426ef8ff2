// electron-builder calls this before fuses and signing. It rejects a package that cannot work or contains too much.
import path from 'node:path'
import { listPackage } from '@electron/asar'
import { nativeProblems } from './native-modules.mjs'
import { serverOnly } from './contents.mjs'

const architectures = ['ia32', 'x64', 'armv7l', 'arm64', 'universal']

const neverShipped = [
  ...serverOnly.map((name) => `/node_modules/${name}/`),
  '/out/main/service.js',
  '/out/main/preview.js',
  '/out/main/preview-core.js',
]

export function archiveProblems(names) {
  const isUnwanted = (name) =>
    neverShipped.some((part) => name.startsWith(part)) ||
    /\.(map|ts|mts|cts|plist)$/.test(name) ||
    /^\/out\/(.*\/)?(contents.*\.json|\.build-stamp)$/.test(name)
  return names.filter(isUnwanted).map((name) => `${name} is not part of the desktop app`)
}

export default function afterPack({ appOutDir, electronPlatformName: platform, arch, packager }) {
  const resources = packager.getResourcesDir(appOutDir)
  const archive = path.join(resources, 'app.asar')
  const names = listPackage(archive, { isPack: false }).map((name) => name.replaceAll('\\', '/'))
  const problems = [
    ...archiveProblems(names),
    ...nativeProblems(path.join(resources, 'app.asar.unpacked'), platform, architectures[arch]),
  ]
  if (problems.length > 0) throw new Error(`The package for ${platform} is wrong:\n${problems.join('\n')}`)
}
