import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCore } from '#shell/core-host.ts'
import { staticFiles } from '#shell/static-files.ts'
import { gate, mayUpgrade } from './gate.ts'
import { type StartMessage, type ToSupervisor, toCoreSchema } from './messages.ts'
import { serveSocket } from './socket.ts'

const MAX_HAND_OVER_MS = 1000

const send = (message: ToSupervisor): void => void process.send?.(message)

process.once('message', (first) => {
  const start = toCoreSchema.parse(first)
  if (start.kind === 'start') serve(start).catch(fail)
})
// The supervisor has ended, so another instance can open the profile: end at once. `exit` would wait for threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Ctrl+C reaches every process of a terminal; this one waits for the supervisor's `close`.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

function fail(error: unknown): void {
  const { code, name } = error as NodeJS.ErrnoException
  process.send?.({ kind: 'failed', reason: code ?? name } satisfies ToSupervisor, () => process.exit(1))
}

async function serve({ origin, secrets, ...start }: StartMessage): Promise<void> {
  const access = { secrets, origin, onTokenUsed: () => send({ kind: 'token-used' }) }
  let onEvent = (_name: string, _payload: unknown): void => {}
  const host = await startCore({
    folder: start.folder,
    resources: resourcesFolder,
    shell: 'preview',
    app_version: appVersion,
    startLocked: start.start_locked,
    openRecordings: start.open_recordings,
    onOpenRecordings: (recordings) => send({ kind: 'open-recordings', recordings: [...recordings] }),
    passphraseFile: process.env['AFTERWORD_PASSPHRASE_FILE'],
    onEvent: (name, payload) => onEvent(name, payload),
  })

  const files = staticFiles(rendererFolder, [origin.replace('http:', 'ws:')], secrets.window_key)
  const answer = getRequestListener(async (request) => {
    const refused = gate(access, request)
    if (refused !== null) return refused
    const { pathname } = new URL(request.url)
    const isMedia = pathname.startsWith('/media/') || pathname.startsWith('/exports/')
    return isMedia ? host.media(request) : files(pathname)
  })
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  const handedOver = createHandedOver()
  const sockets = serveSocket(server, {
    isAllowed: (request) => mayUpgrade(access, request),
    windowKey: secrets.window_key,
    call(name, input) {
      if (name === 'app.handedOver') handedOver.done()
      return host.call(name, input)
    },
  })
  onEvent = (name, payload) => {
    sockets.broadcast(name, payload)
    // If this process crashes while locked, the supervisor starts the next one locked.
    if (name === 'app.changed') send({ kind: 'locked', is_locked: host.isLocked() })
  }

  process.on('message', (raw, connection) => {
    const message = toCoreSchema.parse(raw)
    if (message.kind === 'connection') {
      send({ kind: 'taken', id: message.id })
      if (connection instanceof Socket) server.emit('connection', connection)
    }
    if (message.kind === 'token') access.secrets = { ...access.secrets, token: message.token }
    if (message.kind === 'close') void close()
  })
  send({ kind: 'ready' })

  async function close(): Promise<void> {
    await handedOver.before(() => sockets.broadcast('app.closing', {}))
    sockets.close()
    await host.close()
    // At exit, Node waits for its worker threads, and forever if one is stuck in a system call.
    if (!host.hasEnded()) process.kill(process.pid, 'SIGKILL')
    process.exit(0)
  }
}

function createHandedOver() {
  let done = (): void => {}
  return {
    done: () => done(),
    before: (ask: () => void) =>
      new Promise<void>((resolve) => {
        done = resolve
        setTimeout(resolve, MAX_HAND_OVER_MS)
        ask()
      }),
  }
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const rendererFolder = join(root, 'out', 'renderer')
const resourcesFolder = join(root, 'resources')
const appVersion = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
