import { useState, type FormEvent } from 'react'
import { charactersMissing } from '#renderer/lib/passphrase.ts'
import { useAttempt } from '#renderer/bridge/use-attempt.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { accessStrings } from '#renderer/strings/access.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { isAboutProof, ProofField, useProof } from './proof-field.tsx'

const words = accessStrings.passphrase

export function PassphraseDialog({ onClose }: { readonly onClose: () => void }) {
  const { proof, next, again, error, isBusy, setNext, setAgain, wrong, submit } = useNewPassphrase(onClose)
  return (
    <FormDialog
      title={words.title}
      lead={words.text}
      onClose={onClose}
      isDismissable={false}
      cancel={accessStrings.cancel}
      submit={words.save}
      busy={isBusy ? words.saving : undefined}
      onSubmit={submit}
    >
      <ProofField proof={proof} error={error} />
      <TextField
        label={words.next}
        help={words.nextHelp}
        type="password"
        maxLength={1000}
        value={next}
        onChange={setNext}
        error={wrong.next}
      />
      <TextField label={words.again} type="password" maxLength={1000} value={again} onChange={setAgain} error={wrong.again} />
      {error !== null && !isAboutProof(error) && <Problem code={error} />}
    </FormDialog>
  )
}

function useNewPassphrase(onDone: () => void) {
  const toast = useToast()
  const proof = useProof()
  const { doing, error, attempt } = useAttempt<'change'>()
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [isChecked, setChecked] = useState(false)
  const missing = charactersMissing(next)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setChecked(true)
    const shown = proof.take()
    if (shown === null || missing > 0 || next !== again || doing !== null) return
    const failure = await attempt('change', () => call('vault.changePassphrase', { proof: shown, passphrase: next }))
    if (failure !== null) return
    toast({ text: words.changed })
    onDone()
  }
  const wrong = {
    next: isChecked && missing > 0 ? words.tooShort(missing) : undefined,
    again: isChecked && missing <= 0 && next !== again ? words.differs : undefined,
  }
  return { proof, next, again, error, isBusy: doing !== null, setNext, setAgain, wrong, submit }
}
