import type { Bridge } from '#contract/bridge/methods.ts'
import { reportGone, reportOtherServer } from './lost-server.ts'
import { createSocketBridge, windowKeyOf } from './socket-bridge.ts'

declare global {
  interface Window {
    readonly afterword?: Bridge
  }
}

export const bridge: Bridge =
  window.afterword ??
  createSocketBridge({
    host: location.host,
    windowKey: windowKeyOf(document),
    onOtherServer: reportOtherServer,
    onGone: reportGone,
  })
