import { useId, useState, type FormEvent } from 'react'
import { charactersMissing } from '#renderer/app/passphrase.ts'
import { useAttempt } from '#renderer/bridge/use-attempt.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { accessStrings } from '#renderer/strings/access.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { isAboutProof, ProofField, useProof } from './proof-field.tsx'
import '#renderer/ui/form.css'

const words = accessStrings.passphrase

export function PassphraseDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useId()
  const { proof, next, again, error, isBusy, setNext, setAgain, wrong, submit } = useNewPassphrase(onClose)
  return (
    <Dialog
      title={words.title}
      lead={words.text}
      isOpen
      onClose={onClose}
      isDismissable={false}
      actions={
        <>
          <Button onPress={onClose}>{accessStrings.cancel}</Button>
          <Button variant="filled" type="submit" form={form} busy={isBusy ? words.saving : undefined}>
            {words.save}
          </Button>
        </>
      }
    >
      <form id={form} className="ui-form" onSubmit={(event) => void submit(event)} noValidate>
        <ProofField proof={proof} error={error} />
        <TextField
          label={words.next}
          help={words.nextHelp}
          type="password"
          autoComplete="new-password"
          maxLength={1000}
          value={next}
          onChange={setNext}
          error={wrong.next}
        />
        <TextField
          label={words.again}
          type="password"
          autoComplete="new-password"
          maxLength={1000}
          value={again}
          onChange={setAgain}
          error={wrong.again}
        />
        {error !== null && !isAboutProof(error) && <Problem code={error} />}
      </form>
    </Dialog>
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
