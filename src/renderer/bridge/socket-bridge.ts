import { attachBytes, detachBytes } from '#contract/bridge/frame.ts'
import type { Answer } from '#contract/bridge/method.ts'
import type { Bridge } from '#contract/bridge/methods.ts'

type AnyAnswer = Answer<never>

const reconnectPause = (attempt: number): number => Math.min(50 * 2 ** attempt, 2000)

interface Message {
  readonly id?: number
  readonly answer?: AnyAnswer
  readonly event?: string
  readonly payload?: unknown
}

/**
 * The bridge in the preview: one socket to the core on loopback, taken up again whenever it drops. A call that was
 * under way when it dropped answers `service-unreachable`; whether it took effect is then unknown, so callers repeat
 * only what is safe to repeat.
 */
export function createSocketBridge(): Bridge {
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

  const connected = keepConnected({
    receive,
    onOpen: () => tell(true),
    onClose(wasOpen) {
      for (const resolve of pending.values()) resolve({ ok: false, error: { code: 'service-unreachable' } })
      pending.clear()
      if (wasOpen) tell(false)
    },
  })

  function tell(isConnected: boolean): void {
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
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onConnection(listener) {
      connectionListeners.add(listener)
      return () => connectionListeners.delete(listener)
    },
  }
}

interface SocketEvents {
  receive(message: Message): void
  onOpen(): void
  onClose(wasOpen: boolean): void
}

/** Connects, and connects again after every close. What it gives out resolves to the socket that is open. */
function keepConnected(events: SocketEvents): () => Promise<WebSocket> {
  let waiting: (() => void)[] = []
  let socket: WebSocket | null = null
  let attempt = 0

  function connect(): void {
    const next = new WebSocket(`ws://${location.host}/bridge`)
    next.binaryType = 'arraybuffer'
    next.onopen = () => {
      socket = next
      attempt = 0
      for (const resume of waiting) resume()
      waiting = []
      events.onOpen()
    }
    next.onmessage = (message: MessageEvent<ArrayBuffer>) => events.receive(decode(message.data))
    next.onclose = () => {
      const wasOpen = socket === next
      if (wasOpen) socket = null
      events.onClose(wasOpen)
      setTimeout(connect, reconnectPause(attempt))
      attempt += 1
    }
  }

  connect()
  return async () => {
    while (socket === null) await new Promise<void>((resume) => waiting.push(resume))
    return socket
  }
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

function decode(frame: ArrayBuffer): Message {
  const length = new DataView(frame).getUint32(0)
  const json: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length)))
  return attachBytes(json, new Uint8Array(frame, 4 + length)) as Message
}
