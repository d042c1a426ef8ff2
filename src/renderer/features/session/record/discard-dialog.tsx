import type { Recording } from '#contract/model/recording.ts'
import { useName } from '#renderer/lib/names.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useAttempt } from '#renderer/bridge/use-attempt.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatLength } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { SessionData } from '../session-data.ts'
import { eraseRecording } from './recording-actions.ts'

const words = sessionWords.discard

interface DiscardDialogProps {
  readonly data: SessionData
  readonly recording: Recording
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Names the person and what goes; the safe choice has the focus. */
export function DiscardDialog({ data, recording, isOpen, onClose }: DiscardDialogProps) {
  const name = useName()
  const toast = useToast()
  const { recorder } = useRecorder()
  const { doing, error, attempt } = useAttempt<'erase'>()
  const erase = () =>
    attempt('erase', async () => {
      await eraseRecording(recorder, recording.id)
      toast({ text: words.done, kind: 'done' })
      onClose()
    })
  return (
    <Dialog
      title={words.title(name(data.row.client_name))}
      lead={words.lead(formatLength(recording.saved_ms))}
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={false}
      role="alertdialog"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words.keep}
          </Button>
          <Button variant="erasing" busy={doing ? words.erasing : undefined} onPress={() => void erase()}>
            {words.erase}
          </Button>
        </>
      }
    >
      <p>{words.stays}</p>
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}
