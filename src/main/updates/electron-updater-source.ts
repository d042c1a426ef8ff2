import { chmodSync, constants, copyFileSync, fsyncSync, rmSync } from 'node:fs'
import { access, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppImageUpdater, type AppUpdater, DebUpdater, MacUpdater, NsisUpdater, type UpdateInfo } from 'electron-updater'
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js'
import { ElectronAppAdapter } from 'electron-updater/out/ElectronAppAdapter.js'
import type { OfferedVersion } from '#contract/bridge/updates.ts'
import { rename, withFile } from '#base/durable-file.ts'
import { type FeedHttp, hashOf, inBase64 } from './feed-http.ts'
import { UpdateError, type UpdateSource } from './updates.ts'

export type Installation =
  | { readonly kind: 'nsis' | 'mac' }
  | { readonly kind: 'appimage' | 'package'; readonly extension: string }

/** Milliseconds for Squirrel.Mac to verify the update and quit the app; after that the install counts as failed. */
const SQUIRREL_MS = 180_000
/** Milliseconds to wait for a start error of the installer; without one, the installer counts as started. */
const INSTALLER_START_MS = 2000
const MAX_NOTES = 20_000

/** Replaces the AppImage with one rename and keeps its file name, so that launchers keep working. */
class InPlaceAppImageUpdater extends AppImageUpdater {
  protected override doInstall(): boolean {
    const [current, next] = [process.env['APPIMAGE'], this.installerPath]
    if (current === undefined || next === null) return false
    const beside = `${current}.new`
    try {
      copyFileSync(next, beside)
      chmodSync(beside, 0o755)
      withFile(beside, 'r+', fsyncSync)
      rename(beside, current)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
    return true
  }
}

interface Parts {
  readonly installation: Installation
  readonly app: AppAdapter
  readonly http: FeedHttp
  readonly mirror: string | null
}

export const electronApp = (app: Electron.App): AppAdapter => new ElectronAppAdapter(app)

export function createUpdaterSource({ installation, app, http, mirror }: Parts): UpdateSource {
  const updater = quietUpdater(updaterFor(installation.kind, app), http)
  if (mirror !== null) updater.setFeedURL({ provider: 'generic', url: mirror })
  let info: UpdateInfo | null = null
  let downloaded: string | null = null

  const isReleased = async (path: string): Promise<boolean> => {
    const hash = await hashOf(path)
    return info?.files.some(({ sha512 }) => inBase64(sha512) === hash) ?? false
  }

  return {
    async check() {
      const result = await updater.checkForUpdates().catch(toUpdateError)
      if (result === null) throw new UpdateError('feed-unreadable')
      info = result.isUpdateAvailable ? result.updateInfo : null
      return info === null ? null : offered(info, installation, http.feed)
    },
    async download(onProgress) {
      const report = ({ percent }: { percent: number }): void => onProgress(percent / 100)
      updater.on('download-progress', report)
      try {
        const [path] = await updater.downloadUpdate().catch(toUpdateError)
        downloaded = path ?? null
      } finally {
        updater.off('download-progress', report)
      }
    },
    async verify() {
      if (downloaded === null || !(await isReleased(downloaded).catch(() => false))) {
        if (downloaded !== null) await rm(downloaded, { force: true })
        throw new UpdateError('download-damaged')
      }
      const folder = installation.kind === 'appimage' ? dirname(process.env['APPIMAGE'] ?? '') : null
      if (folder !== null && !(await isWritable(folder))) throw new UpdateError('folder-read-only')
    },
    async install() {
      // Check the file again: a program may have changed it after `verify`, and the installer may run with more rights.
      if (downloaded !== null && !(await isReleased(downloaded).catch(() => false))) throw new UpdateError('download-damaged')
      if (updater instanceof MacUpdater) return installWithSquirrel(updater)
      if (updater instanceof NsisUpdater) return startInstaller(updater)
      if (!(updater instanceof InPlaceAppImageUpdater) || !updater.install()) throw new UpdateError('install-failed')
      return { startsApp: false }
    },
  }
}

function updaterFor(kind: Installation['kind'], app: AppAdapter): AppUpdater {
  if (kind === 'nsis') return new NsisUpdater(undefined, app)
  if (kind === 'mac') return new MacUpdater(undefined, app)
  if (kind === 'appimage') return new InPlaceAppImageUpdater(undefined, app)
  // A Linux package is not updated by the app, so this updater only checks; see docs/decisions/0021-app-updates.md.
  return new DebUpdater(undefined, app)
}

function quietUpdater(updater: AppUpdater, http: FeedHttp): AppUpdater {
  updater.logger = null // its lines contain addresses and paths
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  updater.disableDifferentialDownload = true
  return Object.assign(updater, { httpExecutor: http })
}

/** electron-updater reports a failed start of the installer in an `error` event. */
function startInstaller(updater: NsisUpdater): Promise<{ startsApp: true }> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new UpdateError('install-failed'))
    updater.on('error', fail)
    setTimeout(() => resolve({ startsApp: true }), INSTALLER_START_MS)
    if (!updater.install(true, true)) fail()
  })
}

/** Does not resolve, because Squirrel quits the app; rejects on an error or after `SQUIRREL_MS`. */
function installWithSquirrel(updater: MacUpdater): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new UpdateError('install-failed'))
    updater.on('error', fail)
    setTimeout(fail, SQUIRREL_MS)
    updater.quitAndInstall()
  })
}

function offered(info: UpdateInfo, installation: Installation, feed: URL | null): OfferedVersion {
  const file = 'extension' in installation ? info.files.find(({ url }) => url.endsWith(`.${installation.extension}`)) : undefined
  const date = new Date(info.releaseDate)
  return {
    version: info.version,
    released_at: Number.isNaN(date.getTime()) ? null : date.toISOString(),
    notes: plainNotes(info.releaseNotes),
    bytes: (file ?? info.files[0])?.size ?? null,
    address: installation.kind === 'package' && file !== undefined && feed !== null ? addressOf(file.url, feed) : null,
  }
}

const addressOf = (file: string, feed: URL): string => new URL(file, `${feed.origin}${feed.pathname}`).href

function plainNotes(notes: UpdateInfo['releaseNotes']): string | null {
  const text = Array.isArray(notes) ? notes.map(({ version, note }) => `${version}\n${note ?? ''}`).join('\n\n') : (notes ?? '')
  const plain = text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return plain === '' ? null : plain.slice(0, MAX_NOTES)
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )

const codes: Readonly<Record<string, UpdateError['code']>> = {
  ERR_UPDATER_INVALID_SIGNATURE: 'download-damaged',
  ERR_CHECKSUM_MISMATCH: 'download-damaged',
  ENOSPC: 'disk-full',
  EACCES: 'folder-read-only',
  EROFS: 'folder-read-only',
}

function toUpdateError(error: unknown): never {
  if (error instanceof UpdateError) throw error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  throw new UpdateError(codes[code] ?? 'feed-unreadable')
}
