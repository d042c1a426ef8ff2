import type { Recording } from '#contract/model/recording.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import type { Recorder } from '#renderer/recorder/recorder-state.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatLength } from '#renderer/strings/time.ts'
import { ConfirmDialog } from '#renderer/ui/confirm-dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { useSession } from '../session-data.ts'

interface DialogProps {
  readonly recording: Recording
  readonly isOpen: boolean
  readonly onClose: () => void
}

const words = sessionWords.end

export function EndDialog({ recording, isOpen, onClose }: DialogProps) {
  const { id, row, settings } = useSession()
  const name = useName()
  const { recorder, state } = useRecorder()
  const { doing, error, attempt } = useAttempt<'end'>()
  const isReady = useCall('transcripts.get', { session_id: id }, { enabled: isOpen }).data?.speech_ready
  const end = () =>
    attempt('end', async () => {
      await endRecording(recorder, recording.id)
      onClose()
      navigate(sessionPath(id, 'transcript'))
    })
  return (
    <ConfirmDialog
      title={words.title(name(row.client_name))}
      lead={words.lead(formatLength(Math.max(state.saved_ms, recording.saved_ms)))}
      isOpen={isOpen}
      onClose={onClose}
      no={words.goOn}
      yes={words.end}
      variant="filled"
      busy={doing ? words.ending : undefined}
      onYes={end}
    >
      <p>{isReady && settings.transcribe_when_finished ? words.next : words.nextManual}</p>
      {error !== null && <Problem code={error} />}
    </ConfirmDialog>
  )
}

const discardWords = sessionWords.discard

export function DiscardDialog({ recording, isOpen, onClose }: DialogProps) {
  const { row } = useSession()
  const name = useName()
  const toast = useToast()
  const { recorder } = useRecorder()
  const { doing, error, attempt } = useAttempt<'erase'>()
  const erase = () =>
    attempt('erase', async () => {
      await eraseRecording(recorder, recording.id)
      toast({ text: discardWords.done, kind: 'done' })
      onClose()
    })
  return (
    <ConfirmDialog
      title={discardWords.title(name(row.client_name))}
      lead={discardWords.lead(formatLength(recording.saved_ms))}
      isOpen={isOpen}
      onClose={onClose}
      role="alertdialog"
      no={discardWords.keep}
      yes={discardWords.erase}
      busy={doing ? discardWords.erasing : undefined}
      onYes={erase}
    >
      <p>{discardWords.stays}</p>
      {error !== null && <Problem code={error} />}
    </ConfirmDialog>
  )
}

export async function endRecording(recorder: Recorder, recordingId: string): Promise<void> {
  if (isRecording(recorder, recordingId)) await recorder.finish()
  else await call('recordings.finish', { recording_id: recordingId })
}

export async function eraseRecording(recorder: Recorder, recordingId: string): Promise<void> {
  if (isRecording(recorder, recordingId)) await recorder.discard()
  else await call('recordings.erase', { recording_id: recordingId })
}

function isRecording(recorder: Recorder, recordingId: string): boolean {
  const { recording, phase } = recorder.getState()
  return recording?.id === recordingId && phase !== 'idle'
}
