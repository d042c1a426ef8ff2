import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { sessionWords } from '#renderer/strings/session.ts'

/** Says aloud when the microphone opens or closes; the running time is never read out by itself. */
export function SpokenState({ sessionId }: { readonly sessionId: string }) {
  const { state } = useRecorder()
  const isHere = state.recording?.session_id === sessionId
  const words =
    !isHere || state.phase === 'idle'
      ? ''
      : state.phase === 'paused'
        ? sessionWords.statePaused
        : state.phase === 'recording'
          ? sessionWords.stateRecording
          : ''
  return (
    <p className="visually-hidden" role="status" aria-live="assertive">
      {words}
    </p>
  )
}
