// npm run package: setup, build, licenses, electron-builder. Passes further arguments on: npm run package -- --linux
// deb
import path from 'node:path'
import { build, install, node24, root, run } from './setup.mjs'

const at = (...parts) => path.join(root, ...parts)

await install()
await build()
const { writeLicenses } = await import('./package/licenses.mjs')
writeLicenses()

const builder = at('node_modules', 'electron-builder', 'cli.js')
const settings = ['--config', path.join('tools', 'package', 'config.mjs'), '--publish', 'never']
/** Builds deb and rpm without a download; on other systems electron-builder has its own program. */
const env = process.platform === 'linux' ? { CUSTOM_FPM_PATH: at('tools', 'package', 'fpm.mjs') } : {}
process.exitCode = await run(node24(), [builder, ...settings, ...process.argv.slice(2)], { env })
