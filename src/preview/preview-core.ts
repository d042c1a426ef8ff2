/** The core and its window's files over loopback, in a process that the supervisor starts again when it dies. */
import { createServer, type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCore } from '#shell/core-host.ts'
import { staticFiles } from '#shell/static-files.ts'
import { privateHeaders } from '#shell/private-headers.ts'
import { type StartMessage, type ToSupervisor, toCoreSchema } from './messages.ts'
import { serveSocket } from './socket.ts'
import { hasCookie, isSame, type PreviewSecrets } from './secrets.ts'

/** Without a window nothing answers. */
const MAX_HAND_OVER_MS = 1000

const send = (message: ToSupervisor): void => void process.send?.(message)

process.once('message', (first) => {
  const start = toCoreSchema.parse(first)
  if (start.kind === 'start') serve(start).catch(fail)
})
// The supervisor is gone, and with it the lock of the profile. Not `exit`, which waits for threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Ctrl+C reaches every process of a terminal. This one ends when its supervisor says so, with its files in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

/** The code alone: a message may name a file. */
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
    // A process that takes this one's place stays locked, where this one was.
    if (name === 'app.changed') send({ kind: 'locked', is_locked: host.isLocked() })
  }

  process.on('message', (raw, connection) => {
    const message = toCoreSchema.parse(raw)
    if (message.kind === 'connection') {
      send({ kind: 'taken', id: message.id })
      // Without one: it was closed on its way here.
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
    // At exit Node waits for its threads, and so for ever for one that is stuck in a system call.
    if (!host.hasEnded()) process.kill(process.pid, 'SIGKILL')
    process.exit(0)
  }
}

/** A window that is still open saves its edits and sends the sound it still holds. */
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

/** The project's folder, from source (`src/preview`) and from the bundle (`out/main`) alike: two up. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const rendererFolder = join(root, 'out', 'renderer')
const resourcesFolder = join(root, 'resources')
const appVersion = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version

interface GateState {
  secrets: PreviewSecrets
  /** `http://<random name>.localhost:<port>` */
  readonly origin: string
  readonly onTokenUsed: () => void
}

/**
 * Who may come in over loopback: the Host must be ours (a rebound name is not: 421), then either the one-time token,
 * which is exchanged for a cookie, or that cookie on a request that our own page or the person began.
 *
 * @returns the answer that ends the request here, or null where it may go on
 */
export function gate(state: GateState, request: Request): Response | null {
  const url = new URL(request.url)
  if (request.headers.get('host') !== new URL(state.origin).host)
    return refuse(421, 'This address doesn’t belong to Afterword. Start Afterword again to open a window.')
  const token = url.searchParams.get('token')
  if (url.pathname === '/' && token !== null) return exchange(state, token)
  if (!hasCookie(request.headers.get('cookie'), state.secrets))
    return refuse(403, 'This browser is not signed in to Afterword. Start Afterword again to open a window.')
  // Browsers send it to every loopback name. A request without it is not from a browser that protects the cookie.
  if (!isOurOwn(request.headers.get('sec-fetch-site')))
    return refuse(
      403,
      'Another web page tried to open Afterword, so Afterword refused. Your records are safe. Start Afterword again to open a window.',
    )
  return null
}

/** Scripts of other origins may open sockets to any address: Host, Origin and cookie must all be ours. */
export function mayUpgrade(state: Omit<GateState, 'onTokenUsed'>, { headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  return (
    headers.host === new URL(state.origin).host &&
    headers.origin === state.origin &&
    // Chromium sends none with an upgrade, which Origin makes up for.
    (site === undefined || site === 'same-origin') &&
    hasCookie(headers.cookie, state.secrets)
  )
}

const isOurOwn = (site: string | null): boolean => site === 'same-origin' || site === 'none'

/**
 * Answers with a page and not with a redirect: a Strict cookie is withheld while a navigation that began on another site
 * is redirected. The page navigates again from its own origin, replaces itself in the history, and sends no Referer.
 */
function exchange(state: GateState, token: string): Response {
  if (!isSame(token, state.secrets.token))
    return refuse(403, 'This address was already used. Start Afterword again to get a new one.')
  state.secrets = { ...state.secrets, token: null }
  state.onTokenUsed()
  const { cookie_name, cookie_value } = state.secrets
  return new Response(enterPage, {
    headers: {
      ...privateHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'set-cookie': `${cookie_name}=${cookie_value}; HttpOnly; SameSite=Strict; Path=/`,
    },
  })
}

const enterPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=/">
<title>Afterword</title>
<p><a href="/">Open Afterword</a></p>
`

function refuse(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...privateHeaders, 'content-type': 'text/plain; charset=utf-8' } })
}
