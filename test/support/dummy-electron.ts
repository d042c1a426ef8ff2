/**
 * A folder as Electron's Linux archive unpacks, with nothing in it that runs: enough to make packages where the real
 * runtime cannot be fetched. By hand: node test/support/dummy-electron.ts <folder>
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createPackage } from '@electron/asar'

/** Format of the fuses in Electron's binary: sentinel, version, length, one byte for each. Electron 45 has nine. */
const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const electronDefaults = '101100011'

/** @param fuses one digit for each, 1 for on */
export const fuseWire = (fuses: string): Buffer =>
  Buffer.concat([Buffer.from(fuseSentinel), Buffer.from([1, fuses.length]), Buffer.from(fuses)])

const otherFiles = [
  'icudtl.dat',
  'resources.pak',
  'snapshot_blob.bin',
  'v8_context_snapshot.bin',
  'libffmpeg.so',
  'chrome_crashpad_handler',
]

export async function makeDummyElectron(folder: string): Promise<void> {
  mkdirSync(join(folder, 'locales'), { recursive: true })
  mkdirSync(join(folder, 'resources'))
  const { version } = JSON.parse(readFileSync('node_modules/electron/package.json', 'utf8')) as { version: string }
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.alloc(4096), fuseWire(electronDefaults), Buffer.alloc(4096)]))
  chmodSync(join(folder, 'electron'), 0o755)
  writeFileSync(join(folder, 'chrome-sandbox'), '')
  chmodSync(join(folder, 'chrome-sandbox'), 0o755)
  writeFileSync(join(folder, 'version'), version)
  writeFileSync(join(folder, 'LICENSE'), 'The license of Electron stands here.\n')
  writeFileSync(join(folder, 'LICENSES.chromium.html'), '<p>The licenses of Chromium stand here.</p>\n')
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '')
  for (const name of otherFiles) writeFileSync(join(folder, name), '')
  const app = join(folder, 'default-app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{}')
  await createPackage(app, join(folder, 'resources', 'default_app.asar'))
  rmSync(app, { recursive: true })
}

if (process.argv[1] === import.meta.filename) await makeDummyElectron(resolve(process.argv[2] ?? 'dist/dummy-electron'))
