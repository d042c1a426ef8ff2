import type { Recording } from '#contract/model/recording.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall, useAttempt, call } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatLength } from '#renderer/strings/time.ts'
import type { SessionData } from '../session-data.ts'
import type { Recorder } from '#renderer/recorder/recorder-state.ts'
import { useToast } from '#renderer/ui/toast.tsx'

const words = sessionWords.end

interface EndDialogProps {
  readonly data: SessionData
  readonly recording: Recording
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function EndDialog({ data, recording, isOpen, onClose }: EndDialogProps) {
  const name = useName()
  const { recorder, state } = useRecorder()
  const { doing, error, attempt } = useAttempt<'end'>()
  const isReady = useCall('transcripts.get', { session_id: data.row.session.id }, { enabled: isOpen }).data?.speech_ready
  const end = () =>
    attempt('end', async () => {
      await endRecording(recorder, recording.id)
      onClose()
      navigate(sessionPath(data.row.session.id, 'transcript'))
    })
  return (
    <Dialog
      title={words.title({ name: name(data.row.client_name) })}
      lead={words.lead({ length: formatLength(Math.max(state.saved_ms, recording.saved_ms)) })}
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={false}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words.goOn}
          </Button>
          <Button variant="filled" busy={doing ? words.ending : undefined} onPress={() => void end()}>
            {words.end}
          </Button>
        </>
      }
    >
      <p>{isReady && data.settings.transcribe_when_finished ? words.next : words.nextManual}</p>
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}

const discardWords = sessionWords.discard

interface DiscardDialogProps {
  readonly data: SessionData
  readonly recording: Recording
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function DiscardDialog({ data, recording, isOpen, onClose }: DiscardDialogProps) {
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
    <Dialog
      title={discardWords.title({ name: name(data.row.client_name) })}
      lead={discardWords.lead({ length: formatLength(recording.saved_ms) })}
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={false}
      role="alertdialog"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {discardWords.keep}
          </Button>
          <Button variant="erasing" busy={doing ? discardWords.erasing : undefined} onPress={() => void erase()}>
            {discardWords.erase}
          </Button>
        </>
      }
    >
      <p>{discardWords.stays}</p>
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}

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
