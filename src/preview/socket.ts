import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { attachBytes, detachBytes, helloSchema, windowProofSchema } from '#contract/bridge/preview-socket.ts'
import type { Answer } from '#contract/bridge/method.ts'
import { isSame, proofOf } from './secrets.ts'
import { attempt } from '#base/control.ts'

const callSchema = z.object({ id: z.int(), name: z.string().max(100), input: z.unknown() })

const MAX_FRAME_BYTES = 32 * 1024 * 1024
const MAX_HANDSHAKE_MS = 10_000

interface SocketOptions {
  readonly isAllowed: (request: IncomingMessage) => boolean
  readonly windowKey: string
  readonly call: (name: string, input: unknown) => Promise<Answer<unknown>>
}

export function serveSocket(server: Server, options: SocketOptions) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false })
  const windows = new Set<WebSocket>()
  server.on('upgrade', (request, socket, head) => {
    if (!options.isAllowed(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (window) => {
      window.on('error', () => window.terminate())
      window.on('close', () => windows.delete(window))
      shakeHands(window, options.windowKey, () => {
        windows.add(window)
        serveCalls(window, options.call)
      })
    })
  })
  return {
    broadcast(name: string, payload: unknown): void {
      const frame = encode({ event: name, payload })
      for (const window of windows) if (window.readyState === window.OPEN) window.send(frame)
    },
    close() {
      for (const window of sockets.clients) window.terminate()
      sockets.close()
    },
  }
}

function shakeHands(window: WebSocket, windowKey: string, onProven: () => void): void {
  const timer = setTimeout(() => window.terminate(), MAX_HANDSHAKE_MS)
  window.on('close', () => clearTimeout(timer))
  window.once('message', (first, isBinary) => {
    const hello = isBinary ? decode(first as Buffer, helloSchema) : null
    if (hello === null) return window.close(1003, 'a hello was expected')
    const nonces = { ...hello, server_nonce: randomBytes(16).toString('base64url') }
    window.once('message', (second, isStillBinary) => {
      const proof = isStillBinary ? decode(second as Buffer, windowProofSchema) : null
      if (!isSame(proof?.window_proof, proofOf(windowKey, 'window', nonces))) return window.close(1008, 'wrong proof')
      clearTimeout(timer)
      onProven()
    })
    window.send(encode({ server_nonce: nonces.server_nonce, server_proof: proofOf(windowKey, 'server', nonces) }))
  })
}

function serveCalls(window: WebSocket, call: SocketOptions['call']): void {
  window.on('message', (data, isBinary) => {
    const question = isBinary ? decode(data as Buffer, callSchema) : null
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

function decode<Message>(frame: Buffer, schema: z.ZodType<Message>): Message | null {
  const message = attempt(() => {
    const length = frame.readUInt32BE(0)
    const json: unknown = JSON.parse(frame.toString('utf8', 4, 4 + length))
    return schema.parse(attachBytes(json, frame.subarray(4 + length)))
  })
  return message ?? null
}

function encode(value: unknown): Buffer {
  const { message, parts } = detachBytes(value)
  const json = Buffer.from(JSON.stringify(message))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, ...parts])
}
