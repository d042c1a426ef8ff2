import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Emit } from '#contract/bridge/events.ts'
import type { UpdateState } from '#contract/bridge/updates.ts'
import type { Log } from '#base/log.ts'
import { proxyRules, trustSystemCertificates, useProxies } from '#base/practice-network.ts'
import type { Installation } from './electron-updater-source.ts'
import { type ServedUpdates, serveUpdates } from './serve-updates.ts'

interface Parts {
  readonly resources: string
  readonly emit: Emit
  readonly log: Log
  readonly closeCore: () => Promise<void>
  readonly beforeInstall?: () => Promise<void>
  readonly resolveProxy?: (address: string) => Promise<string>
}

export function openUpdates({ resources, emit, log, closeCore, beforeInstall, resolveProxy }: Parts): ServedUpdates {
  const keys = releaseKeys(join(resources, 'update-keys.pem'))
  const reachOut = once(() => {
    trustSystemCertificates(log)
    useProxies(proxyRules({ resolveProxy }), log)
  })
  const installation = installationOf(process.platform, process.resourcesPath)
  return serveUpdates({
    emit,
    log,
    closeCore,
    beforeInstall: beforeInstall ?? null,
    delivery: deliveryOf(
      app.isPackaged,
      installation,
      keys.length > 0 && existsSync(join(process.resourcesPath, 'app-update.yml')),
    ),
    async openSource(mirror) {
      reachOut()
      // Without a listener Electron quits with its last window, before Squirrel has scheduled the restart.
      if (installation.kind === 'mac') app.on('window-all-closed', () => {})
      const [{ createUpdaterSource, electronApp }, { FeedHttp }] = await Promise.all([
        import('./electron-updater-source.ts'),
        import('./feed-http.ts'),
      ])
      return createUpdaterSource({
        installation,
        app: electronApp(app),
        http: new FeedHttp({ fetch: globalThis.fetch, keys }),
        mirror,
      })
    },
    endApp(restart) {
      const image = process.env['APPIMAGE']
      if (restart) app.relaunch(image === undefined ? {} : { execPath: image, args: process.argv.slice(1) })
      app.exit(0)
    },
  })
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) run()
    isDone = true
  }
}

function deliveryOf(isPackaged: boolean, { kind }: Installation, isSetUp: boolean): UpdateState['delivery'] {
  if (!isPackaged) return 'development'
  if (!isSetUp) return 'not-set-up'
  return kind === 'package' ? 'notify' : 'install'
}

function installationOf(platform: string, folder: string): Installation {
  if (platform === 'win32') return { kind: 'nsis' }
  if (platform === 'darwin') return { kind: 'mac' }
  if (process.env['APPIMAGE'] !== undefined) return { kind: 'appimage', extension: 'AppImage' }
  const type = join(folder, 'package-type')
  return { kind: 'package', extension: existsSync(type) ? readFileSync(type, 'utf8').trim() : 'deb' }
}

function releaseKeys(file: string): readonly KeyObject[] {
  if (!existsSync(file)) return []
  const blocks = readFileSync(file, 'utf8').match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? []
  return blocks.map((block) => createPublicKey(block)).filter((key) => key.asymmetricKeyType === 'ed25519')
}
