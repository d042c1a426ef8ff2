/** Started as a process of its own: the recordings of a profile and the recorder's page on one loopback port. */
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { bridgeMethods, type MethodName } from '#contract/bridge/methods.ts'
import type { Answer } from '#contract/bridge/method.ts'
import { AppError } from '#contract/errors.ts'
import { recordingMedia } from '#core/recordings/media.ts'
import { serveSocket } from '#preview/socket.ts'
import { openRecordingCore } from './recording-core.ts'

const [folder = '', pageFolder = '', port = '0'] = process.argv.slice(2)
let broadcast = (_name: string, _payload: unknown): void => {}
const core = openRecordingCore({ folder, emit: (name, payload) => broadcast(name, payload) })
const media = recordingMedia(core.audio)
const handlers: Record<string, (input: never) => unknown> = {
  ...core.handlers,
  'recordings.append': core.append.append,
  'app.openMicrophone': () => {
    if (!core.consent) throw new AppError('consent-missing')
    return {}
  },
}

/** What a window meets besides: records that lock and open again, a consent that is taken back. */
let isLocked = false
const switches: Record<string, () => void> = {
  'vault.lock': () => (isLocked = true),
  'vault.unlock': () => (isLocked = false),
  'consents.revoke': () => (core.consent = false),
  'app.resumed': () => broadcast('app.resumed', {}),
}
const underLock: Record<string, (input: never) => unknown> = {
  'recordings.append': core.append.append,
  'recordings.attach': core.append.reattach,
}

async function call(name: string, input: unknown): Promise<Answer<unknown>> {
  const turn = switches[name]
  if (turn !== undefined) {
    turn()
    return { ok: true, value: {} }
  }
  try {
    if (isLocked && underLock[name] === undefined) throw new AppError('vault-locked')
    const parsed = bridgeMethods[name as MethodName].input.parse(input)
    return { ok: true, value: await (isLocked ? underLock : handlers)[name]!(parsed as never) }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error: { code: error.code } }
    throw error
  }
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
const policy = "default-src 'none'; script-src 'self'; img-src data:; media-src 'self'; worker-src 'self'; connect-src 'self'"

const listener = getRequestListener(async (request) => {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/media/')) return media(request)
  const file = join(pageFolder, pathname === '/' ? 'index.html' : pathname)
  const bytes = await readFile(file).catch(() => null)
  if (bytes === null) return new Response(null, { status: 404 })
  return new Response(bytes, {
    headers: { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy },
  })
})
const server = createServer((request, response) => void listener(request, response))
broadcast = serveSocket(server, { isAllowed: () => true, windowKey: 'the key of the recorder page', call }).broadcast
server.listen(Number(port), '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
