import { createContext, use, useSyncExternalStore, type ReactNode } from 'react'
import { createRecorder } from '#renderer/recorder/recorder.ts'
import type { Recorder, RecorderState } from '#renderer/recorder/recorder-state.ts'
import { bridge } from './bridge.ts'
import { beforeClosing } from './closing.ts'
import { followSelfTest } from './self-test.ts'

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
const RecorderContext = createContext<Recorder>(windowRecorder)

export function RecorderProvider({ children }: { readonly children: ReactNode }) {
  return <RecorderContext value={windowRecorder}>{children}</RecorderContext>
}

export function useRecorder(): { readonly state: RecorderState; readonly recorder: Recorder } {
  const recorder = use(RecorderContext)
  const state = useSyncExternalStore(
    (listener) => recorder.subscribe(listener),
    () => recorder.getState(),
  )
  return { state, recorder }
}
