import { Button as AriaButton } from 'react-aria-components'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { UNSAVED_MS, createSavingWatch, type Saving } from '#renderer/bridge/saving-watch.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { formatLength } from '#renderer/strings/time.ts'
import { useAppState } from './app-state.ts'
import { useSyncExternalStore } from 'react'
import { bridge } from '#renderer/bridge/bridge.ts'
import { navigate, sessionPath } from './routes.ts'
import './recording-sign.css'

export function useUnsavedLength(): string | null {
  const { captured_ms, saved_ms, phase } = useRecorder().state
  const unsaved = captured_ms - saved_ms
  return phase !== 'idle' && unsaved >= UNSAVED_MS ? formatLength(unsaved) : null
}

/** The recording in this or another window, or null if there is none. Also works while the records are locked. */
function useRunning(): { readonly session_id: string | null; readonly isPaused: boolean } | null {
  const { phase, recording } = useRecorder().state
  const app = useAppState()
  const active = useCall('recordings.active', {}, { enabled: app?.phase === 'ready' }).data
  if (recording && ['recording', 'paused', 'trouble'].includes(phase))
    return { session_id: recording.session_id, isPaused: phase !== 'recording' }
  if (active) return { session_id: active.recording.session_id, isPaused: active.recording.state === 'paused' }
  return app?.phase === 'locked' && app.recording_id !== null ? { session_id: null, isPaused: false } : null
}

const words = appStrings.titleBar

interface SignWords {
  readonly word: string
  readonly rest: string
  readonly label: string
  readonly isUnsaved?: boolean
}

function useWords(isPaused: boolean): SignWords {
  const unsaved = useUnsavedLength()
  const saving = useSaving()
  if (unsaved !== null) {
    const word = isPaused ? words.paused : words.recording
    return { word, rest: words.unsaved({ length: unsaved }), label: words.unsavedLabel({ length: unsaved }), isUnsaved: true }
  }
  if (isPaused) return { word: words.paused, rest: words.microphoneClosed, label: words.pausedLabel }
  switch (saving.kind) {
    case 'saving':
      return { word: words.recording, rest: words.microphoneOpen, label: words.recordingLabel }
    case 'unknown':
      return { word: words.recording, rest: '', label: words.openLabel }
    case 'silent': {
      const length = formatLength(saving.ms)
      return { word: words.notSaving, rest: words.silent({ length }), label: words.silentLabel({ length }), isUnsaved: true }
    }
  }
}

export function RecordingSign() {
  const running = useRunning()
  return running && <Sign sessionId={running.session_id} isPaused={running.isPaused} />
}

function Sign({ sessionId, isPaused }: { readonly sessionId: string | null; readonly isPaused: boolean }) {
  const { word, rest, label, isUnsaved } = useWords(isPaused)
  return (
    <AriaButton
      className="recording-sign"
      data-paused={isPaused || undefined}
      data-unsaved={isUnsaved}
      aria-label={label}
      isDisabled={sessionId === null}
      onPress={() => {
        if (sessionId !== null) navigate(sessionPath(sessionId))
      }}
    >
      <span className="recording-sign-dot" />
      <span className="recording-sign-word">{word}</span> <span className="recording-sign-rest">{rest}</span>
    </AriaButton>
  )
}

const LOOK_MS = 250

const watch = createSavingWatch(bridge, () => performance.now())

function subscribe(listener: () => void): () => void {
  const forget = watch.subscribe(listener)
  const timer = setInterval(watch.look, LOOK_MS)
  return () => {
    clearInterval(timer)
    forget()
  }
}

export const useSaving = (): Saving => useSyncExternalStore(subscribe, watch.get)
