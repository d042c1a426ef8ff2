import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import { serveSocket } from '#preview/socket.ts'
import { createSocketBridge } from '#renderer/bridge/socket-bridge.ts'
import { answering, bridgeConformance } from '#test/support/bridge-conformance.ts'

async function startServer(isAllowed: () => boolean = () => true) {
  const server = createServer()
  const sockets = serveSocket(server, { isAllowed, call: answering })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    sockets,
    close() {
      sockets.close()
      server.close()
    },
  }
}

describe('the bridge over a socket', () => {
  bridgeConformance(async () => {
    const server = await startServer()
    Object.assign(globalThis, { location: { host: server.host } })
    return { bridge: createSocketBridge(), emit: server.sockets.broadcast, close: server.close }
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
  const stranger = new NodeSocket(`ws://${server.host}/bridge`)
  const neighbour = new NodeSocket(`ws://${server.host}/bridge`)
  await Promise.all([once(stranger, 'open'), once(neighbour, 'open')])
  stranger.send(Buffer.from([0, 0, 0, 200, 1, 2]))
  const [code] = (await once(stranger, 'close')) as [number]
  expect(code).toBe(1003)
  expect(neighbour.readyState).toBe(NodeSocket.OPEN)
  server.close()
})
