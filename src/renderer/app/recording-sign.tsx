import { Button as AriaButton } from 'react-aria-components'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { formatLength } from '#renderer/ui/time.ts'
import { useAppState } from './app-state.ts'
import { navigate, sessionPath } from './navigation.ts'
import './recording-sign.css'

interface Running {
  readonly session_id: string | null
  readonly isPaused: boolean
}

/** Sound that no disk has for so long is said. */
const UNSAVED_MS = 3000

/** How much of what this window recorded is only in its memory; null while everything is saved as it is spoken. */
export function useUnsavedLength(): string | null {
  const { captured_ms, saved_ms, phase } = useRecorder().state
  const unsaved = captured_ms - saved_ms
  return phase !== 'idle' && unsaved >= UNSAVED_MS ? formatLength(unsaved) : null
}

/** What is being recorded, by this window or by another one; null: nothing. Known under the lock too. */
function useRunning(): Running | null {
  const { state } = useRecorder()
  const app = useAppState()
  const active = useCall('recordings.active', {}, { enabled: app?.phase === 'ready' }).data
  if (state.phase === 'recording' || state.phase === 'paused' || state.phase === 'trouble') {
    if (state.recording) return { session_id: state.recording.session_id, isPaused: state.phase !== 'recording' }
  }
  if (active) return { session_id: active.recording.session_id, isPaused: active.recording.state === 'paused' }
  return app?.phase === 'locked' && app.recording_id !== null ? { session_id: null, isPaused: false } : null
}

/** The red dot and the word, on every page and over the lock screen; a click returns to the session. */
export function RecordingSign() {
  const running = useRunning()
  const unsaved = useUnsavedLength()
  if (running === null) return null
  const words = appStrings.titleBar
  const sessionId = running.session_id
  const label = running.isPaused ? words.pausedLabel : words.recordingLabel
  const rest = running.isPaused ? words.microphoneClosed : words.microphoneOpen
  return (
    <AriaButton
      className="recording-sign"
      data-paused={running.isPaused || undefined}
      data-unsaved={unsaved !== null || undefined}
      aria-label={unsaved === null ? label : words.unsavedLabel(unsaved)}
      isDisabled={sessionId === null}
      onPress={() => {
        if (sessionId !== null) navigate(sessionPath(sessionId))
      }}
    >
      <span className="recording-sign-dot" />
      <span className="recording-sign-word">{running.isPaused ? words.paused : words.recording}</span>
      <span className="recording-sign-rest">{unsaved === null ? rest : words.unsaved(unsaved)}</span>
    </AriaButton>
  )
}
