/** The recorder alone in a window, without the app around it. */
import { z } from 'zod'
import type { Bridge } from '#contract/bridge/methods.ts'
import { createSocketBridge } from '#renderer/bridge/socket-bridge.ts'
import { createRecorder } from '#renderer/recorder/recorder.ts'
import type { Recorder } from '#renderer/recorder/recorder-state.ts'

declare global {
  interface Window {
    recorder: Recorder
    bridge: Bridge
    /** Set by a test that measures what a kill loses. */
    firstSampleAt: number
    longestWaitMs: number
  }
}

z.config({ jitless: true })
window.bridge = createSocketBridge({
  host: location.host,
  windowKey: 'the key of the recorder page',
  onOtherServer() {
    throw new Error('the server of the recorder page could not prove itself')
  },
  onGone: () => {},
})
window.recorder = createRecorder(window.bridge)
