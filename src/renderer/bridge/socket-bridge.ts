import {
  attachBytes,
  detachBytes,
  helloSchema,
  type Nonces,
  serverProofSchema,
  signedText,
  windowKeyMeta,
  windowProofSchema,
} from '#contract/bridge/preview-socket.ts'
import { addTo } from './listeners.ts'
import type { Answer } from '#contract/bridge/method.ts'
import type { Bridge } from '#contract/bridge/methods.ts'

type AnyAnswer = Answer<never>

/** After this many refused connections in a row, Afterword is assumed to have exited. */
const MAX_REFUSED = 6
const reconnectPause = (attempt: number): number => Math.min(50 * 2 ** attempt, 2000)

type Message = Readonly<{ id?: number; answer?: AnyAnswer; event?: string; payload?: unknown }>

interface SocketBridgeOptions {
  readonly host: string
  readonly windowKey: string
  readonly onOtherServer: () => void
  /**
   * Called with the time when the connection was lost if Afterword seems to have exited, and with null after each successful
   * connection.
   */
  readonly onGone: (since: Date | null) => void
}

/**
 * The preview's bridge: a WebSocket to the core on this computer, which reconnects. A call in flight when the socket closes fails
 * with `service-unreachable`. Its outcome is unknown, so callers may retry only idempotent calls.
 */
export function createSocketBridge(options: SocketBridgeOptions): Bridge {
  const pending = new Map<number, (answer: AnyAnswer) => void>()
  const listeners = new Set<(name: string, payload: unknown) => void>()
  const connectionListeners = new Set<(connected: boolean) => void>()
  let last = 0

  function receive({ event, payload, id, answer }: Message): void {
    if (event !== undefined) {
      for (const listener of listeners) listener(event, payload)
      return
    }
    if (id === undefined || answer === undefined) return
    const resolve = pending.get(id)
    pending.delete(id)
    resolve?.(answer)
  }

  const connected = keepConnected(options, {
    receive,
    onOpen: () => notify(true),
    onClose(wasOpen) {
      for (const resolve of pending.values()) resolve({ ok: false, error: { code: 'service-unreachable' } })
      pending.clear()
      if (wasOpen) notify(false)
    },
  })

  function notify(isConnected: boolean): void {
    for (const listener of connectionListeners) listener(isConnected)
  }

  return {
    async call(name, input) {
      const socket = await connected()
      last += 1
      const id = last
      const answer = new Promise<AnyAnswer>((resolve) => pending.set(id, resolve))
      socket.send(encode({ id, name, input }))
      return answer
    },
    on: addTo(listeners),
    onConnection: addTo(connectionListeners),
  }
}

interface SocketEvents {
  receive(message: Message): void
  onOpen(): void
  onClose(wasOpen: boolean): void
}

function keepConnected(options: SocketBridgeOptions, events: SocketEvents): () => Promise<WebSocket> {
  let opened = Promise.withResolvers<WebSocket>()
  let socket: WebSocket | null = null
  let attempt = 0
  let refused = 0
  let lastAnswer = new Date()
  let isOther = false

  function connect(): void {
    const next = new WebSocket(`ws://${options.host}/bridge`)
    next.binaryType = 'arraybuffer'
    let wasAnswered = false
    next.onopen = () => {
      wasAnswered = true
      shakeHands(next, options.windowKey, onProven, onDisproven)
    }
    next.onclose = () => {
      const wasOpen = socket === next
      if (wasOpen) {
        socket = null
        opened = Promise.withResolvers()
        lastAnswer = new Date()
      }
      events.onClose(wasOpen)
      if (isOther) return
      refused = wasAnswered ? 0 : refused + 1
      if (refused === MAX_REFUSED) options.onGone(lastAnswer)
      setTimeout(connect, reconnectPause(attempt))
      attempt += 1
    }

    function onProven(): void {
      socket = next
      attempt = 0
      options.onGone(null)
      next.onmessage = (message: MessageEvent<ArrayBuffer>) => events.receive(decode(message.data) as Message)
      opened.resolve(next)
      events.onOpen()
    }

    function onDisproven(): void {
      isOther = true
      next.close()
      options.onOtherServer()
    }
  }

  connect()
  return () => opened.promise
}

function shakeHands(socket: WebSocket, windowKey: string, onProven: () => void, onDisproven: () => void): void {
  const hello = helloSchema.parse({ window_nonce: base64url(crypto.getRandomValues(new Uint8Array(16))) })
  socket.onmessage = (message: MessageEvent<unknown>) => {
    socket.onmessage = null
    answerProof(message.data, windowKey, hello.window_nonce).then(
      (windowProof) => {
        if (socket.readyState !== WebSocket.OPEN) return
        socket.send(encode(windowProofSchema.parse({ window_proof: windowProof })))
        onProven()
      },
      () => onDisproven(),
    )
  }
  socket.send(encode(hello))
}

async function answerProof(data: unknown, windowKey: string, windowNonce: string): Promise<string> {
  if (windowKey === '' || !(data instanceof ArrayBuffer)) throw new Error('no proof')
  const { server_nonce, server_proof } = serverProofSchema.parse(decode(data))
  const nonces = { window_nonce: windowNonce, server_nonce }
  if (server_proof !== (await proofOf(windowKey, 'server', nonces))) throw new Error('wrong proof')
  return proofOf(windowKey, 'window', nonces)
}

function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const { message, parts } = detachBytes(value)
  const json = new TextEncoder().encode(JSON.stringify(message))
  const frame = new Uint8Array(4 + json.length + parts.reduce((sum, part) => sum + part.length, 0))
  new DataView(frame.buffer).setUint32(0, json.length)
  frame.set(json, 4)
  let offset = 4 + json.length
  for (const part of parts) {
    frame.set(part, offset)
    offset += part.length
  }
  return frame
}

function decode(frame: ArrayBuffer): unknown {
  const length = new DataView(frame).getUint32(0)
  const json: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length)))
  return attachBytes(json, new Uint8Array(frame, 4 + length))
}

export const windowKeyOf = (page: Document): string =>
  page.querySelector(`meta[name="${windowKeyMeta}"]`)?.getAttribute('content') ?? ''

async function proofOf(windowKey: string, signer: 'server' | 'window', nonces: Nonces): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(windowKey), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signedText(signer, nonces)))
  return base64url(new Uint8Array(signature))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
