import { protocol } from 'electron'
import type { CoreHost } from '#shell/core-host.ts'
import { staticFiles } from '#shell/static-files.ts'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Call before Electron's `ready`. Makes `app://` a secure origin that can stream; seeking in audio needs streaming. */
export function declareProtocol(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ])
}

export function serveProtocol(host: CoreHost): void {
  const files = staticFiles(rendererFolder, [])
  protocol.handle('app', (request) => {
    const url = new URL(request.url)
    if (url.origin !== appOrigin && `${url.protocol}//${url.host}` !== appOrigin) return new Response(null, { status: 404 })
    const isMedia = url.pathname.startsWith('/media/') || url.pathname.startsWith('/exports/')
    return isMedia ? host.media(request) : files(url.pathname)
  })
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const rendererFolder = join(root, 'out', 'renderer')
export const resourcesFolder = join(root, 'resources')
export const preloadFile = join(root, 'out', 'preload', 'index.cjs')
export const appOrigin = 'app://afterword'
