import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'

const require = createRequire(import.meta.url)
interface Builder {
  validateConfiguration(configuration: unknown, log: { isEnabled: boolean; add(): void }): Promise<void>
}
const builder = require('app-builder-lib/out/util/config/config') as Builder
const configuration = () => load(readFileSync('electron-builder.yml', 'utf8')) as Record<string, unknown>

test('the packaging configuration passes electron-builder’s own schema, and a wrong one does not', async () => {
  const log = { isEnabled: false, add: () => {} }
  await builder.validateConfiguration(configuration(), log)
  await expect(builder.validateConfiguration({ ...configuration(), electronFuses: { runAsNod: false } }, log)).rejects.toThrow()
})

test('the packaged app cannot be run as Node, debugged, or swapped out', () => {
  expect(configuration()['electronFuses']).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  })
})
