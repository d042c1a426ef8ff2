/** The core and its window's files over loopback, in a process that the supervisor starts again when it dies. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { startCore } from '#shell/core-host.ts'
import { staticFiles } from '#shell/static-files.ts'
import { gate } from './gate.ts'
import { type StartMessage, type ToSupervisor, toCoreSchema } from './messages.ts'
import { hasCookie } from './secrets.ts'
import { serveSocket } from './socket.ts'
import { appVersion, rendererFolder, resourcesFolder } from './places.ts'

const tell = (message: ToSupervisor): void => void process.send?.(message)

process.once('message', (first) => {
  const start = toCoreSchema.parse(first)
  if (start.kind === 'start') void serve(start)
})
// The supervisor is gone: nobody would restart this process or end it.
process.on('disconnect', () => process.exit(0))

async function serve(start: StartMessage): Promise<void> {
  let origin = ''
  const access = { secrets: start.secrets, origin: () => origin, onTokenUsed: () => tell({ kind: 'token-used' }) }
  let onEvent = (_name: string, _payload: unknown): void => {}
  const host = await startCore({
    folder: start.folder,
    resources: resourcesFolder,
    shell: 'preview',
    app_version: appVersion,
    startLocked: start.start_locked,
    passphraseFile: process.env['AFTERWORD_PASSPHRASE_FILE'],
    onEvent: (name, payload) => onEvent(name, payload),
  })

  let files = staticFiles(rendererFolder, [])
  const answer = getRequestListener(async (request) => {
    const refused = gate(access, request)
    if (refused !== null) return refused
    const { pathname } = new URL(request.url)
    const isMedia = pathname.startsWith('/media/') || pathname.startsWith('/exports/')
    return isMedia ? host.media(request) : files(resolve('/', pathname))
  })
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  const isAllowed = (request: IncomingMessage): boolean =>
    request.headers.host === new URL(origin).host &&
    request.headers.origin === origin &&
    hasCookie(request.headers.cookie, access.secrets)
  const sockets = serveSocket(server, { isAllowed, call: host.call })
  onEvent = (name, payload) => {
    sockets.broadcast(name, payload)
    // A process that takes this one's place stays locked, where this one was.
    if (name === 'app.changed') tell({ kind: 'locked', is_locked: host.isLocked() })
  }

  const port = await listen(server, start.port)
  origin = `http://127.0.0.1:${port}`
  files = staticFiles(rendererFolder, [`ws://127.0.0.1:${port}`])
  tell({ kind: 'listening', port })

  process.on('message', (raw) => {
    const message = toCoreSchema.parse(raw)
    if (message.kind === 'token') access.secrets = { ...access.secrets, token: message.token }
    if (message.kind === 'close') void close()
  })

  async function close(): Promise<void> {
    sockets.close()
    server.close()
    await host.close()
    process.exit(0)
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', () => done((server.address() as AddressInfo).port))
  })
}
