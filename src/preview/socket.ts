import type { IncomingMessage, Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { attachBytes, detachBytes } from '#contract/bridge/frame.ts'
import type { Answer } from '#contract/bridge/method.ts'

const callSchema = z.object({ id: z.int(), name: z.string().max(100), input: z.unknown() })

/** Room for an imported transcript; a record of sound is under 2 kB. */
const largestFrame = 32 * 1024 * 1024

interface SocketOptions {
  readonly isAllowed: (request: IncomingMessage) => boolean
  readonly call: (name: string, input: unknown) => Promise<Answer<unknown>>
}

/** The bridge over one socket per window. Every window gets every event. */
export function serveSocket(
  server: Server,
  options: SocketOptions,
): { broadcast(name: string, payload: unknown): void; close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestFrame, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    if (!options.isAllowed(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (window) => serveWindow(window, options.call))
  })
  return {
    broadcast(name, payload) {
      const frame = encode({ event: name, payload })
      for (const window of sockets.clients) if (window.readyState === window.OPEN) window.send(frame)
    },
    close() {
      for (const window of sockets.clients) window.terminate()
      sockets.close()
    },
  }
}

function serveWindow(window: WebSocket, call: SocketOptions['call']): void {
  window.on('error', () => window.terminate())
  window.on('message', (data, isBinary) => {
    const question = isBinary ? decode(data as Buffer) : null
    if (question === null) {
      window.close(1003, 'a binary frame was expected')
      return
    }
    void call(question.name, question.input)
      .catch((): Answer<unknown> => ({ ok: false, error: { code: 'internal' } }))
      .then((answer) => {
        if (window.readyState === window.OPEN) window.send(encode({ id: question.id, answer }))
      })
  })
}

function decode(frame: Buffer): z.infer<typeof callSchema> | null {
  try {
    const length = frame.readUInt32BE(0)
    const message: unknown = JSON.parse(frame.toString('utf8', 4, 4 + length))
    return callSchema.parse(attachBytes(message, frame.subarray(4 + length)))
  } catch {
    return null // not our frame; the caller closes the socket
  }
}

function encode(value: unknown): Buffer {
  const { message, parts } = detachBytes(value)
  const json = Buffer.from(JSON.stringify(message))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, ...parts])
}
