import { call } from '#renderer/bridge/use-bridge.ts'
import type { Recorder } from '#renderer/recorder/recorder-state.ts'

/** Ends a recording whether this window still feeds it or the core has stopped it already. */
export async function endRecording(recorder: Recorder, recordingId: string): Promise<void> {
  const { recording, phase } = recorder.getState()
  if (recording?.id === recordingId && phase !== 'idle') await recorder.finish()
  else await call('recordings.finish', { recording_id: recordingId })
}

export async function eraseRecording(recorder: Recorder, recordingId: string): Promise<void> {
  const { recording, phase } = recorder.getState()
  if (recording?.id === recordingId && phase !== 'idle') await recorder.discard()
  else await call('recordings.erase', { recording_id: recordingId })
}
