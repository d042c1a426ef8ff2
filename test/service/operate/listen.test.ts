import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listen, usualLimits } from '#service/operate/listen.ts'
import type { Listener, Limits } from '#service/operate/listen.ts'

let listener: Listener
afterEach(async () => {
  const closed = listener.close()
  listener.cutOff()
  await closed
})

const short = 150
const start = async (limits: Partial<Limits>): Promise<void> => {
  listener = await listen({
    fetch: async (request) => new Response(await request.text()),
    host: '127.0.0.1',
    port: 0,
    tls: null,
    limits: { ...usualLimits, ...limits },
  })
}

/** Everything that comes back until the other side hangs up. */
function whatComesOf(sent: string): Promise<string> {
  return new Promise((ended) => {
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(sent))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('error', () => {})
    socket.on('close', () => ended(text))
  })
}

test('who never ends its headers is hung up on', async () => {
  await start({ headersMs: short, requestMs: short })
  expect(await whatComesOf('POST / HTTP/1.1\r\nHost: x\r\nX-One: ')).toContain('408')
})

test('who never ends its body is hung up on', async () => {
  await start({ headersMs: short, requestMs: short * 2 })
  expect(await whatComesOf('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')).toContain('408')
})

test('who says nothing at all is hung up on', async () => {
  await start({ idleMs: short })
  expect(await whatComesOf('')).toBe('')
})

test('a connection is kept for the next call, and not for ever', async () => {
  await start({ keepAliveMs: short })
  const said = await whatComesOf('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(said.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

test('a port that is taken is a sentence, not a crash', async () => {
  await start({})
  const again = { fetch: async () => new Response(), host: '127.0.0.1', port: listener.port, tls: null }
  await expect(listen(again)).rejects.toThrow('EADDRINUSE')
})
