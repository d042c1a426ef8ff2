import { useState, type FormEvent, type ReactNode } from 'react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import './unlock-forms.css'

const words = gateStrings.lock

/** What was typed stays after a wrong one. */
export function PassphraseForm() {
  const unlock = useAction('vault.unlock')
  const [passphrase, setPassphrase] = useState('')
  return (
    <UnlockForm
      busy={unlock.isPending ? words.unlocking : undefined}
      label={words.unlock}
      problem={unlock.error && unlock.error.code !== 'wrong-passphrase' ? unlock.error.code : null}
      onSubmit={() => {
        if (passphrase !== '') unlock.mutate({ passphrase })
      }}
    >
      <TextField
        label={words.passphrase}
        type="password"
        size="large"
        autoFocus
        value={passphrase}
        onChange={(value) => {
          setPassphrase(value)
          if (unlock.isError) unlock.reset()
        }}
        error={unlock.error?.code === 'wrong-passphrase' ? words.wrong : undefined}
      />
    </UnlockForm>
  )
}

export function CodeForm({
  label = words.unlock,
  busyLabel = words.unlocking,
}: {
  readonly label?: string
  readonly busyLabel?: string
}) {
  const unlock = useAction('vault.unlock')
  const [code, setCode] = useState('')
  const submit = (): void => {
    if (code.trim() !== '' && !unlock.isPending) unlock.mutate({ recovery_code: code.trim() })
  }
  return (
    <UnlockForm
      busy={unlock.isPending ? busyLabel : undefined}
      label={label}
      problem={unlock.error && unlock.error.code !== 'wrong-recovery-code' ? unlock.error.code : null}
      onSubmit={submit}
    >
      <TextField
        className="unlock-code"
        label={words.code}
        help={words.codeHelp}
        isMultiline
        rows={2}
        autoFocus
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          submit()
        }}
        value={code}
        onChange={(value) => {
          setCode(value.replaceAll('\n', ''))
          if (unlock.isError) unlock.reset()
        }}
        error={unlock.error?.code === 'wrong-recovery-code' ? words.codeWrong : undefined}
      />
    </UnlockForm>
  )
}

interface UnlockFormProps {
  readonly label: string
  readonly busy: string | undefined
  readonly problem: string | null
  readonly onSubmit: () => void
  readonly children: ReactNode
}

function UnlockForm({ label, busy, problem, onSubmit, children }: UnlockFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy === undefined) onSubmit()
  }
  return (
    <form className="unlock-form" onSubmit={submit}>
      {children}
      {problem !== null && <Problem code={problem} />}
      <Button variant="filled" size="large" type="submit" busy={busy}>
        {label}
      </Button>
    </form>
  )
}
