import type { SpeechModel } from '#contract/model/speech-model.ts'
import { useAttempt } from '#renderer/bridge/use-attempt.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { modelStrings } from '#renderer/strings/models.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'

const words = modelStrings.removal

interface RemoveModelDialogProps {
  readonly model: SpeechModel
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function RemoveModelDialog({ model, isOpen, onClose }: RemoveModelDialogProps) {
  const { doing, error, attempt } = useAttempt<'remove'>()
  const remove = async (): Promise<void> => {
    if ((await attempt('remove', () => call('models.remove', { id: model.id }))) === null) onClose()
  }
  return (
    <Dialog
      title={words.title(model.name)}
      lead={words.lead(modelStrings.size((model.installed?.bytes ?? 0) / 1_000_000))}
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={false}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words.keep}
          </Button>
          <Button variant="erasing" busy={doing === null ? undefined : modelStrings.removing} onPress={() => void remove()}>
            {words.remove}
          </Button>
        </>
      }
    >
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}
