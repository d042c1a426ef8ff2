import type { Bridge } from '#contract/bridge/methods.ts'
import { reportGone, reportOtherServer } from './lost-server.ts'
import { createSocketBridge, windowKeyOf } from './socket-bridge.ts'

declare global {
  interface Window {
    /** Set by the preload script in the packaged app. */
    readonly afterword?: Bridge
  }
}

/** The one way to the core, whichever shell this window stands in. */
export const bridge: Bridge =
  window.afterword ??
  createSocketBridge({
    host: location.host,
    windowKey: windowKeyOf(document),
    onOtherServer: reportOtherServer,
    onGone: reportGone,
  })
