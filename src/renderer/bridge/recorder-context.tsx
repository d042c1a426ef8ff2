import { useSyncExternalStore } from 'react'
import { createRecorder } from '#renderer/recorder/recorder.ts'
import type { Recorder, RecorderState } from '#renderer/recorder/recorder-state.ts'
import { bridgeEvents } from '#contract/bridge/events.ts'
import { recordingPath } from '#contract/bridge/library.ts'
import type { Bridge } from '#contract/bridge/methods.ts'
import { codeOf, must } from '#renderer/recorder/answers.ts'
import { bridge } from './bridge.ts'
import { beforeClosing } from './closing.ts'

/** One recorder per window, outside React, so that recording continues on other pages and on the lock screen. */
const windowRecorder: Recorder = createRecorder(bridge)
beforeClosing(() => windowRecorder.handOver())
followSelfTest(bridge, windowRecorder)
// In Electron the main process asks before the window closes. In a browser, `beforeunload` makes the browser ask.
if (window.afterword === undefined) {
  window.addEventListener('beforeunload', (event) => {
    if (windowRecorder.getState().phase !== 'idle') event.preventDefault()
  })
}

export function useRecorder(): { readonly state: RecorderState; readonly recorder: Recorder } {
  const state = useSyncExternalStore(windowRecorder.subscribe, windowRecorder.getState)
  return { state, recorder: windowRecorder }
}

function followSelfTest(bridge: Bridge, recorder: Recorder): void {
  bridge.on((name, payload) => {
    const asked = name === 'app.selfTest' ? bridgeEvents[name].safeParse(payload) : null
    if (asked?.success === true) void selfTest(bridge, recorder, asked.data)
  })
}

async function selfTest(
  bridge: Bridge,
  recorder: Recorder,
  { session_id, record_ms }: { session_id: string; record_ms: number },
): Promise<void> {
  let step = 'record'
  try {
    await recorder.start({ session_id, device_id: null })
    await reached(recorder, ({ saved_ms }) => saved_ms >= record_ms)
    step = 'finish'
    await recorder.finish()
    step = 'play'
    const recording = must(await bridge.call('recordings.get', { session_id }))
    await play(recordingPath(recording!.id))
    await bridge.call('app.selfTested', { failed: null })
  } catch (error) {
    const reason = error instanceof PlayFailed ? error.message : codeOf(error)
    await bridge.call('app.selfTested', { failed: `${step} (${reason})` })
  }
}

function reached(recorder: Recorder, isReached: (state: RecorderState) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const state = recorder.getState()
      if (state.error !== null) reject(new PlayFailed(state.error))
      else if (!isReached(state)) return
      else resolve()
      stop()
    }
    const stop = recorder.subscribe(look)
    look()
  })
}

class PlayFailed extends Error {}

async function play(address: string): Promise<void> {
  const audio = new Audio(address)
  audio.muted = true
  const event = (name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      audio.addEventListener(name, () => resolve(), { once: true })
      audio.addEventListener('error', () => reject(new PlayFailed(`media error ${audio.error?.code ?? 0}`)), { once: true })
    })
  const advanced = event('timeupdate')
  await audio.play()
  await advanced
  const sought = event('seeked')
  audio.currentTime = audio.duration / 2
  await sought
  audio.pause()
}
