import type { WebFrameMain } from 'electron'
import type { Faithful } from './native-emitter.ts'

let lastFrame = 0

/** A frame as the main process sees it. Like Electron's, a disposed frame throws. */
export function createFrame(url: string, parent: object | null = null) {
  lastFrame += 1
  const routingId = lastFrame
  let isGone = false
  const alive = <Value>(value: Value): Value => {
    if (isGone) throw new Error('Render frame was disposed before WebFrameMain could be accessed')
    return value
  }
  const frame = {
    get url() {
      return alive(url)
    },
    get origin() {
      return alive(originOf(url))
    },
    get parent() {
      return alive(parent)
    },
    get routingId() {
      return alive(routingId)
    },
    get processId() {
      return alive(1)
    },
    get frameTreeNodeId() {
      return alive(routingId)
    },
    isDestroyed: () => isGone,
    get standIn() {
      return { dispose: () => void (isGone = true) }
    },
  }
  return frame satisfies Faithful<typeof frame, WebFrameMain, 'parent'>
}

export type Frame = ReturnType<typeof createFrame>

/** Node's URL reports the origin 'null' for app:, which is a standard scheme in Electron. */
export function originOf(url: string): string {
  const { protocol, host } = new URL(url)
  return host === '' ? 'null' : `${protocol}//${host}`
}
