import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { load } from 'js-yaml'
import { root } from '../setup.mjs'
import { contents, unneededPackages } from './contents.mjs'

const releaseNotes = 'resources/release-notes.txt'

/** Files the app never loads. */
const unneededFiles = [
  '!**/node_modules/**/*.{map,ts,mts,cts,md,markdown,flow,tsbuildinfo}',
  '!**/node_modules/**/.yarn{,/**}',
  '!**/node_modules/**/*.{test,spec}.{js,mjs,cjs}',
  '!node_modules/better-sqlite3/{deps,src}{,/**}',
  '!node_modules/ai/{docs,src}{,/**}',
  '!node_modules/docx/dist/!(index.mjs)',
  '!node_modules/pdfkit/js/!(pdfkit.node.mjs|data|standard-fonts)',
  '!node_modules/fontkit/{src{,/**},dist/browser*}',
  '!node_modules/zod/src{,/**}',
]

const isRelease = (environment) => environment['AFTERWORD_RELEASE'] === '1'

/** A Developer ID if configured (required for a release); else an ad-hoc signature, which Apple silicon requires. */
function macSigning(environment, platform) {
  if (isRelease(environment) || environment['CSC_LINK'] || environment['CSC_NAME']) {
    const canNotarize = Boolean(environment['APPLE_API_KEY'] || environment['APPLE_ID'] || environment['APPLE_KEYCHAIN_PROFILE'])
    // electron-builder only warns.
    if (isRelease(environment) && platform === 'darwin' && !canNotarize)
      throw new Error('A release for macOS has to be notarized: set APPLE_API_KEY, APPLE_API_KEY_ID and APPLE_API_ISSUER.')
    const entitlements = 'resources/package/entitlements.mac.plist'
    return { mac: { hardenedRuntime: true, notarize: canNotarize, entitlements, entitlementsInherit: entitlements }, fuses: {} }
  }
  const entitlements = 'resources/package/entitlements.mac-adhoc.plist'
  return {
    mac: { identity: '-', hardenedRuntime: true, notarize: false, entitlements, entitlementsInherit: entitlements },
    // Changing fuses breaks Electron's own signature.
    fuses: { resetAdHocDarwinSignature: true },
  }
}

/** Azure Artifact Signing if the release job sets an account; else signtool with WIN_CSC_LINK, if set. */
function winSigning(environment) {
  const account = environment['AFTERWORD_AZURE_SIGNING_ACCOUNT']
  if (!account) return {}
  return {
    signtoolOptions: null,
    azureSignOptions: {
      publisherName: environment['AFTERWORD_AZURE_SIGNING_PUBLISHER'] ?? '',
      endpoint: environment['AFTERWORD_AZURE_SIGNING_ENDPOINT'] ?? '',
      certificateProfileName: environment['AFTERWORD_AZURE_SIGNING_PROFILE'] ?? '',
      codeSigningAccountName: account,
    },
  }
}

export function packagingConfiguration(environment, platform = process.platform) {
  const settings = load(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8'))
  const { files: built, packages } = contents()
  const files = [
    ...built,
    'package.json',
    'resources/fonts/**',
    'resources/sample/session.*',
    'resources/speech/**',
    'resources/update-keys.pem',
    ...unneededPackages(packages).map((name) => `!**/node_modules/${name}{,/**}`),
    ...unneededFiles,
  ]
  // electron-builder's ${platform} is the build system, so each target's name is written out.
  const filesFor = (platform) => [...files, `!node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}).node`]
  const { mac, fuses } = macSigning(environment, platform)
  return {
    ...settings,
    extraResources: [{ from: 'out/THIRD-PARTY-LICENSES.txt', to: 'THIRD-PARTY-LICENSES.txt' }],
    // Without an update address, the app accepts no updates.
    publish: environment['AFTERWORD_FEED'] ? { provider: 'generic', url: environment['AFTERWORD_FEED'] } : null,
    ...(existsSync(path.join(root, releaseNotes)) ? { releaseInfo: { releaseNotesFile: releaseNotes } } : {}),
    // A release must never go out unsigned.
    forceCodeSigning: isRelease(environment),
    electronFuses: { ...settings.electronFuses, ...fuses },
    linux: { ...settings.linux, files: filesFor('linux') },
    mac: { ...settings.mac, ...mac, files: filesFor('darwin') },
    win: { ...settings.win, ...winSigning(environment), files: filesFor('win32') },
  }
}

// electron-builder passes an argument, which must not reach `packagingConfiguration`.
export default () => packagingConfiguration(process.env)
