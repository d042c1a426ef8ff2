import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUpdaterSource, type Installation } from '#main/updates/electron-updater-source.ts'
import { FeedHttp } from '#main/updates/feed-http.ts'
import type { UpdateSource } from '#main/updates/updates.ts'
import { type UpdateServer, updateServer } from '#test/support/update-server.ts'

const appImage: Installation = { kind: 'appimage', extension: 'AppImage' }

interface Options {
  readonly installation?: Installation
  readonly mirror?: string
  readonly stallMs?: number
  readonly server?: UpdateServer
}

/** An update server, and an AppImage of version 1.0.0 in a folder of its own that is updated from it. */
export async function installedAppImage() {
  const server = await updateServer()
  const folder = mkdtempSync(join(tmpdir(), 'afterword-updates-'))
  const image = join(folder, 'Afterword-1.0.0.AppImage')
  const pending = join(folder, 'cache', 'afterword-updater', 'pending')
  writeFileSync(image, 'the version that is installed')
  chmodSync(image, 0o755)
  writeFileSync(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: ${server.address}\nupdaterCacheDirName: afterword-updater\n`,
  )
  process.env['APPIMAGE'] = image
  const unused = (): never => {
    throw new Error('electron-updater ends no app here')
  }
  const app = {
    version: '1.0.0',
    name: 'Afterword',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: unused,
    quit: unused,
    onQuit: unused,
  }
  return {
    server,
    folder,
    image,
    pendingFile: (name: string): string => join(pending, name),
    pending: (): string[] => (existsSync(pending) ? readdirSync(pending) : []),
    installed: (): string => readFileSync(image).toString('base64'),
    paths: (): string[] => server.requests.map(({ path }) => path),
    /** electron-updater's own classes, with the app they ask given to them instead of the `electron` module. */
    source({ installation = appImage, mirror, stallMs, server: from = server }: Options = {}): UpdateSource {
      const pause = (): Promise<void> => Promise.resolve()
      const http = new FeedHttp({ fetch, keys: [from.publicKey], pause, ...(stallMs === undefined ? {} : { stallMs }) })
      return createUpdaterSource({ installation, app, http, mirror: mirror ?? null })
    },
    async remove(): Promise<void> {
      delete process.env['APPIMAGE']
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export const failsWith = (code: string) => ({ name: 'UpdateError', code })
export const isFile = (path: string): boolean => path.endsWith('.AppImage')
