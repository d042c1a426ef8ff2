import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocket as NodeSocket, WebSocketServer } from 'ws'
import { proofOf } from '#preview/secrets.ts'
import { serveSocket } from '#preview/socket.ts'
import { createSocketBridge } from '#renderer/bridge/socket-bridge.ts'
import { answering } from '#test/support/bridge-answers.ts'
import { bridgeConformance } from '#test/support/bridge-conformance.ts'

const windowKey = 'the key that came with the page'

async function startServer(isAllowed: () => boolean = () => true, port = 0) {
  const server = createServer()
  const called: string[] = []
  const call: typeof answering = (name, input) => {
    called.push(name)
    return answering(name, input)
  }
  const sockets = serveSocket(server, { isAllowed, windowKey, call })
  const connections = new Set<Socket>()
  server.on('connection', (connection) => connections.add(connection))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    sockets,
    called,
    /** Like a core that dies: what listens stays. */
    drop() {
      for (const connection of connections) connection.destroy()
    },
    close() {
      sockets.close()
      server.close()
    },
  }
}

const frame = (value: unknown): Buffer => {
  const json = Buffer.from(JSON.stringify(value))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json])
}
const contentOf = (data: Buffer): Record<string, string> => JSON.parse(data.toString('utf8', 4)) as Record<string, string>

/** A window that shakes hands as src/contract/bridge/preview-socket.ts says. */
async function openWindow(host: string, key = windowKey): Promise<NodeSocket> {
  const socket = new NodeSocket(`ws://${host}/bridge`)
  await once(socket, 'open')
  socket.send(frame({ window_nonce: 'a nonce of this window' }))
  const [answer] = (await once(socket, 'message')) as [Buffer]
  const server_nonce = contentOf(answer)['server_nonce'] ?? ''
  socket.send(frame({ window_proof: proofOf(key, 'window', { window_nonce: 'a nonce of this window', server_nonce }) }))
  return socket
}

const never = (): never => {
  throw new Error('the server is the right one')
}

describe('the bridge over a socket', () => {
  bridgeConformance(async () => {
    const server = await startServer()
    const bridge = createSocketBridge({ host: server.host, windowKey, onOtherServer: never, onGone: () => {} })
    // Events go to windows that proved themselves, and only to those.
    await bridge.call('app.state', {})
    return { bridge, emit: server.sockets.broadcast, close: server.close }
  })
})

test('a window that is not let in gets no socket', async () => {
  const server = await startServer(() => false)
  const socket = new NodeSocket(`ws://${server.host}/bridge`)
  const [error] = (await once(socket, 'error')) as [Error]
  expect(error.message).toContain('403')
  server.close()
})

test('a frame that is not ours closes that socket and no other', async () => {
  const server = await startServer()
  const [stranger, neighbor] = await Promise.all([openWindow(server.host), openWindow(server.host)])
  stranger.send(Buffer.from([0, 0, 0, 200, 1, 2]))
  const [code] = (await once(stranger, 'close')) as [number]
  expect(code).toBe(1003)
  expect(neighbor.readyState).toBe(NodeSocket.OPEN)
  server.close()
})

test('a window without the key is closed: it makes no call and hears no event', async () => {
  const server = await startServer()
  const eager = new NodeSocket(`ws://${server.host}/bridge`)
  await once(eager, 'open')
  eager.send(frame({ id: 1, name: 'vault.unlock', input: { passphrase: 'x' } }))
  expect(((await once(eager, 'close')) as [number])[0]).toBe(1003)

  const forger = await openWindow(server.host, 'another key')
  const heard: string[] = []
  forger.on('message', (data: Buffer) => heard.push(data.toString()))
  server.sockets.broadcast('app.changed', {})
  forger.send(frame({ id: 1, name: 'vault.unlock', input: { passphrase: 'x' } }))
  expect(((await once(forger, 'close')) as [number])[0]).toBe(1008)
  expect([server.called, heard]).toEqual([[], []])
  server.close()
})

/** A server on our port that answers each frame with what it was made for, and keeps every frame it was sent. */
async function startOther(answer: (first: Record<string, string>) => Buffer | string) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const received: Record<string, string>[] = []
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    socket.on('message', (data: Buffer) => {
      received.push(contentOf(data))
      if (received.length === 1) socket.send(answer(contentOf(data)))
    })
  })
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => connections,
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

const nonce = 'a nonce of the other server'
const others: Record<string, (hello: Record<string, string>) => Buffer | string> = {
  'a wrong key': ({ window_nonce = '' }) =>
    frame({ server_nonce: nonce, server_proof: proofOf('guess', 'server', { window_nonce, server_nonce: nonce }) }),
  'the window’s own role': ({ window_nonce = '' }) =>
    frame({ server_nonce: nonce, server_proof: proofOf(windowKey, 'window', { window_nonce, server_nonce: nonce }) }),
  'a proof over another nonce': () =>
    frame({
      server_nonce: nonce,
      server_proof: proofOf(windowKey, 'server', { window_nonce: 'an older nonce of it', server_nonce: nonce }),
    }),
  'an event instead of a proof': () => frame({ event: 'app.changed', payload: { phase: 'locked' } }),
  'an answer instead of a proof': () => frame({ id: 1, answer: { ok: true, value: {} } }),
  'bytes that are no frame': () => Buffer.from([255, 255, 255, 255]),
  text: () => 'hello',
}

test.each(Object.entries(others))('a server that answers with %s is sent a nonce and nothing else', async (_name, answer) => {
  const other = await startOther(answer)
  let found = (): void => {}
  const wasFound = new Promise<void>((done) => (found = done))
  const heard: string[] = []
  const bridge = createSocketBridge({ host: other.host, windowKey, onOtherServer: found, onGone: () => {} })
  bridge.on((name) => heard.push(name))
  const unlocked = bridge.call('vault.unlock', { method: 'passphrase', passphrase: 'four calm words here' } as never)
  await wasFound
  // It is not given another chance, and what waited to be sent goes on waiting.
  expect(await Promise.race([unlocked, new Promise((done) => setTimeout(() => done('waits'), 300))])).toBe('waits')
  expect(other.received.map((message) => Object.keys(message))).toEqual([['window_nonce']])
  expect([other.connections(), heard]).toEqual([1, []])
  other.close()
})

test('a page that came without a key trusts no server', async () => {
  const server = await startServer()
  const wasFound = new Promise<void>((done) =>
    createSocketBridge({ host: server.host, windowKey: '', onOtherServer: done, onGone: () => {} }),
  )
  await wasFound
  expect(server.called).toEqual([])
  server.close()
})

test('a window whose Afterword has ended says so, and takes it back where it answers after all', async () => {
  const server = await startServer()
  const { port } = new URL(`http://${server.host}`)
  let gone = Promise.withResolvers<Date | null>()
  const bridge = createSocketBridge({
    host: server.host,
    windowKey,
    onOtherServer: never,
    onGone: (since) => gone.resolve(since),
  })
  await bridge.call('app.state', {})
  gone = Promise.withResolvers()
  const before = new Date()
  server.close()
  expect((await gone.promise)?.getTime()).toBeGreaterThanOrEqual(before.getTime())
  gone = Promise.withResolvers()
  const again = await startServer(() => true, Number(port))
  expect(await gone.promise).toBeNull()
  again.close()
})

test('a core that restarts is not taken for an Afterword that has ended', async () => {
  const server = await startServer()
  const reports: (Date | null)[] = []
  const bridge = createSocketBridge({
    host: server.host,
    windowKey,
    onOtherServer: never,
    onGone: (since) => reports.push(since),
  })
  for (let restart = 0; restart < 8; restart += 1) {
    await bridge.call('app.state', {})
    const lost = Promise.withResolvers<void>()
    bridge.onConnection((connected) => connected || lost.resolve())
    server.drop()
    await lost.promise
  }
  expect(reports.filter((since) => since !== null)).toEqual([])
  server.close()
})
