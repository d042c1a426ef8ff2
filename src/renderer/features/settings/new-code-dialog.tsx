import { useId, useState, type FormEvent } from 'react'
import { useAttempt } from '#renderer/bridge/use-attempt.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { accessStrings } from '#renderer/strings/access.ts'
import { recoveryCodeStrings } from '#renderer/strings/recovery-code.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { copyText } from '#renderer/bridge/copy-text.ts'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import { isAboutProof, type Proof, ProofField, useProof } from './proof-field.tsx'
import '#renderer/ui/form.css'

const words = accessStrings.code

interface NewCodeDialogProps {
  /** Without one nothing is proven: the keychain opens the records for whoever is signed in here. */
  readonly hasPassphrase: boolean
  readonly onClose: () => void
}

export function NewCodeDialog({ hasPassphrase, onClose }: NewCodeDialogProps) {
  const [code, setCode] = useState<string | null>(null)
  return code === null ? (
    <AskDialog hasPassphrase={hasPassphrase} onMade={setCode} onClose={onClose} />
  ) : (
    <MadeDialog code={code} onClose={onClose} />
  )
}

function AskDialog({ hasPassphrase, onMade, onClose }: NewCodeDialogProps & { readonly onMade: (code: string) => void }) {
  const form = useId()
  const proof = useProof()
  const { doing, error, attempt } = useAttempt<'make'>()
  const make = async (shown: Proof | null): Promise<void> => {
    await attempt('make', async () => onMade((await call('vault.newRecoveryCode', { proof: shown })).recovery_code))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (doing !== null) return
    const shown = hasPassphrase ? proof.take() : null
    if (shown !== null || !hasPassphrase) void make(shown)
  }
  return (
    <Dialog
      title={words.title}
      lead={hasPassphrase ? words.lead : words.leadKeychain}
      isOpen
      onClose={onClose}
      isDismissable={false}
      actions={
        <>
          <Button autoFocus={!hasPassphrase} onPress={onClose}>
            {accessStrings.cancel}
          </Button>
          <Button variant="filled" type="submit" form={form} busy={doing === null ? undefined : words.making}>
            {words.makeIt}
          </Button>
        </>
      }
    >
      <form id={form} className="ui-form" onSubmit={submit} noValidate>
        {hasPassphrase && <ProofField proof={proof} error={error} />}
        {error !== null && !(hasPassphrase && isAboutProof(error)) && <Problem code={error} />}
      </form>
    </Dialog>
  )
}

/** Cannot be left by Esc or a click beside it: the code is gone with the dialog. */
function MadeDialog({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  const [isWritten, setWritten] = useState(false)
  return (
    <Dialog
      title={words.titleMade}
      lead={words.leadMade}
      isOpen
      onClose={() => undefined}
      isDismissable={false}
      size="wide"
      actions={
        <Button
          variant="filled"
          isDisabled={!isWritten}
          reason={isWritten ? undefined : recoveryCodeStrings.writtenFirst}
          onPress={onClose}
        >
          {words.done}
        </Button>
      }
    >
      <div className="ui-form">
        <RecoveryCode code={code} onCopy={copyText} />
        <Checkbox isSelected={isWritten} onChange={setWritten}>
          {recoveryCodeStrings.written}
        </Checkbox>
      </div>
    </Dialog>
  )
}
