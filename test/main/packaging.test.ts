import { readdirSync, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { repository } from '#test/support/machine.ts'

const require = createRequire(import.meta.url)
interface Builder {
  validateConfiguration(configuration: unknown, log: { isEnabled: boolean; add(): void }): Promise<void>
}
const builder = require('app-builder-lib/out/util/config/config') as Builder

interface Configuration extends Record<string, unknown> {
  readonly electronFuses: Record<string, boolean>
  readonly forceCodeSigning: boolean
  readonly mac: Record<string, unknown> & { readonly entitlements: string }
  readonly win: Record<string, unknown>
  readonly nsis: Record<string, unknown>
}
let packagingConfiguration: (environment: NodeJS.ProcessEnv, platform?: NodeJS.Platform) => Configuration

beforeAll(async () => {
  build()
  const file = pathToFileURL(join(repository, 'tools', 'package', 'config.mjs')).href
  ;({ packagingConfiguration } = (await import(file)) as { packagingConfiguration: typeof packagingConfiguration })
})

const certificate = { CSC_LINK: 'certificate.p12', APPLE_API_KEY: 'key.p8' }
const entitlementsOf = ({ mac }: Configuration): string => readFileSync(join(repository, mac.entitlements), 'utf8')

test('the packaging configuration passes electron-builder’s own schema, and a wrong one does not', async () => {
  const log = { isEnabled: false, add: () => {} }
  for (const environment of [{}, { ...certificate, AFTERWORD_RELEASE: '1', AFTERWORD_AZURE_SIGNING_ACCOUNT: 'practice' }]) {
    await builder.validateConfiguration(packagingConfiguration(environment), log)
  }
  const wrong = { ...packagingConfiguration({}), electronFuses: { runAsNod: false } }
  await expect(builder.validateConfiguration(wrong, log)).rejects.toThrow()
})

test('the packaged app cannot be run as Node, debugged, or swapped out', () => {
  expect(packagingConfiguration(certificate).electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  })
})

test('a test build for macOS is signed ad hoc so that it starts; a release has a certificate and is notarized', () => {
  const adHoc = packagingConfiguration({})
  expect(adHoc.mac).toMatchObject({ identity: '-', hardenedRuntime: true, notarize: false })
  expect(adHoc.electronFuses['resetAdHocDarwinSignature']).toBe(true)
  expect(entitlementsOf(adHoc)).toContain('disable-library-validation')
  const release = packagingConfiguration(certificate)
  expect(release.mac).toMatchObject({ hardenedRuntime: true, notarize: true })
  expect(release.mac['identity']).toBeUndefined()
  expect(entitlementsOf(release)).toContain('com.apple.security.device.audio-input')
  expect(entitlementsOf(release)).not.toContain('disable-library-validation')
})

test('a release job fails where it cannot sign', () => {
  expect(packagingConfiguration({}).forceCodeSigning).toBe(false)
  const release = packagingConfiguration({ AFTERWORD_RELEASE: '1', APPLE_API_KEY: 'key.p8' }, 'darwin')
  expect(release.forceCodeSigning).toBe(true)
  // An ad-hoc signature would count as one.
  expect(release.mac['identity']).toBeUndefined()
  expect(() => packagingConfiguration({ AFTERWORD_RELEASE: '1' }, 'darwin')).toThrow('has to be notarized')
})

test('Windows is signed by the account the job names, and installs where only an administrator can write', () => {
  const { win, nsis } = packagingConfiguration({ AFTERWORD_AZURE_SIGNING_ACCOUNT: 'practice' })
  expect(win['azureSignOptions']).toMatchObject({ codeSigningAccountName: 'practice' })
  expect(packagingConfiguration({}).win['azureSignOptions']).toBeUndefined()
  expect(nsis).toMatchObject({ perMachine: true, allowToChangeInstallationDirectory: false })
})

test('each system has an icon of ours, in the sizes it shows', () => {
  const at = (...parts: string[]): string => join(repository, 'resources', 'package', ...parts)
  for (const size of [16, 32, 48, 128, 256, 512]) {
    const png = readFileSync(at('icons', `${size}x${size}.png`))
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size])
  }
  const ico = readFileSync(at('icon.ico'))
  const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico[6 + 16 * index] || 256)
  expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256])
  const icns = readFileSync(at('icon.icns'))
  expect(icns.readUInt32BE(4)).toBe(icns.length)
  expect(icns.toString('latin1')).toContain('ic10')
  expect(existsSync(at('icon.svg'))).toBe(true)
})

test('macOS asks for the microphone in our words, and never in Electron’s for anything else', () => {
  const { extendInfo, minimumSystemVersion } = packagingConfiguration({}).mac as Record<string, Record<string, string>>
  expect(minimumSystemVersion).toBe('13.0')
  expect(extendInfo!['NSMicrophoneUsageDescription']).toMatch(/^Afterword records a session/)
  for (const name of ['NSCamera', 'NSBluetoothAlways', 'NSBluetoothPeripheral', 'NSAudioCapture']) {
    expect(extendInfo![`${name}UsageDescription`]).toMatch(/^Afterword doesn’t .*Choose Don’t Allow\.$/)
  }
})

test('every package that is required by name is shipped', async () => {
  const { requiredByName } = (await import('../../tools/package/contents.mjs' as string)) as { requiredByName: string[] }
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const required = sources.flatMap((name) => {
    const calls = readFileSync(join('src', name), 'utf8').matchAll(/createRequire\(import\.meta\.url\)(?:\('([^']+)'\))?/g)
    return [...calls].map(([, found]) => found ?? `unknown, in ${name}`)
  })
  expect(required.toSorted()).toEqual(requiredByName.toSorted())
})
