import { useState, type ReactNode, type FormEvent, useId } from 'react'
import type { MethodOutput, MethodInput } from '#contract/bridge/methods.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { useCall, call, useAttempt, copyText } from '#renderer/bridge/use-bridge.ts'
import { accessStrings as words, accessStrings } from '#renderer/strings/settings.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { formatClock, formatFullDate } from '#renderer/strings/time.ts'
import { MIN_PASSPHRASE_CHARACTERS } from '#contract/bridge/app.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { recoveryCodeStrings } from '#renderer/strings/app.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { Dialog, FormDialog } from '#renderer/ui/dialog.tsx'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import { Group } from './setting.tsx'
import type { ErrorCode } from '#contract/errors.ts'
import '#renderer/ui/form.css'

export function AccessGroup() {
  const protection = useAppState()?.protection
  const [open, setOpen] = useState<'passphrase' | 'code' | null>(null)
  const made = useCall('vault.recoveryCodeMade', {})
  const close = (): void => {
    setOpen(null)
    void made.refetch()
  }
  return (
    <Group title={words.title}>
      {protection === 'passphrase' && (
        <AccessRow {...words.passphrase} action={words.passphrase.change} onPress={() => setOpen('passphrase')} />
      )}
      <AccessRow {...words.code} action={words.code.make} onPress={() => setOpen('code')}>
        {made.data && <p className="caption">{lastMade(made.data)}</p>}
      </AccessRow>
      {open === 'passphrase' && <PassphraseDialog onClose={close} />}
      {open === 'code' && <NewCodeDialog hasPassphrase={protection === 'passphrase'} onClose={close} />}
    </Group>
  )
}

type Made = NonNullable<MethodOutput<'vault.recoveryCodeMade'>>

function lastMade({ made_at, is_proven }: Made): string {
  return (is_proven ? words.code.made : words.code.madeUnproven)({ day: formatFullDate(made_at), time: formatClock(made_at) })
}

interface AccessRowProps {
  readonly label: string
  readonly text: string
  readonly action: string
  readonly onPress: () => void
  readonly children?: ReactNode
}

function AccessRow({ label, text, action, onPress, children }: AccessRowProps) {
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{label}</p>
        <p className="setting-text">{text}</p>
        {children}
      </div>
      <Button onPress={onPress} aria-label={`${label}: ${action}`}>
        {action}
      </Button>
    </div>
  )
}

const passphraseWords = accessStrings.passphrase

function PassphraseDialog({ onClose }: { readonly onClose: () => void }) {
  const { proof, next, again, error, isBusy, setNext, setAgain, wrong, submit } = useNewPassphrase(onClose)
  return (
    <FormDialog
      title={passphraseWords.title}
      lead={passphraseWords.text}
      onClose={onClose}
      isDismissable={false}
      cancel={accessStrings.cancel}
      submit={passphraseWords.save}
      busy={isBusy ? passphraseWords.saving : undefined}
      onSubmit={submit}
    >
      <ProofField proof={proof} error={error} />
      <TextField
        label={passphraseWords.next}
        help={passphraseWords.nextHelp}
        type="password"
        maxLength={1000}
        value={next}
        onChange={setNext}
        error={wrong.next}
      />
      <TextField
        label={passphraseWords.again}
        type="password"
        maxLength={1000}
        value={again}
        onChange={setAgain}
        error={wrong.again}
      />
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
  const missing = MIN_PASSPHRASE_CHARACTERS - [...next].length
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setChecked(true)
    const shown = proof.take()
    if (shown === null || missing > 0 || next !== again || doing !== null) return
    const failure = await attempt('change', () => call('vault.changePassphrase', { proof: shown, passphrase: next }))
    if (failure !== null) return
    toast({ text: passphraseWords.changed })
    onDone()
  }
  const wrong = {
    next: isChecked && missing > 0 ? passphraseWords.tooShort({ missing }) : undefined,
    again: isChecked && missing <= 0 && next !== again ? passphraseWords.differs : undefined,
  }
  return { proof, next, again, error, isBusy: doing !== null, setNext, setAgain, wrong, submit }
}

const newCodeWords = accessStrings.code

interface NewCodeDialogProps {
  /** Without a passphrase, users can't prove who they are: the keychain opens for anyone signed in to this computer. */
  readonly hasPassphrase: boolean
  readonly onClose: () => void
}

function NewCodeDialog({ hasPassphrase, onClose }: NewCodeDialogProps) {
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
      title={newCodeWords.title}
      lead={hasPassphrase ? newCodeWords.lead : newCodeWords.leadKeychain}
      isOpen
      onClose={onClose}
      isDismissable={false}
      actions={
        <>
          <Button autoFocus={!hasPassphrase} onPress={onClose}>
            {accessStrings.cancel}
          </Button>
          <Button variant="filled" type="submit" form={form} busy={doing === null ? undefined : newCodeWords.making}>
            {newCodeWords.makeIt}
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

/** Esc and clicks outside do nothing, because the code is shown only once. */
function MadeDialog({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  const [isWritten, setWritten] = useState(false)
  return (
    <Dialog
      title={newCodeWords.titleMade}
      lead={newCodeWords.leadMade}
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
          {newCodeWords.done}
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

const proofWords = accessStrings.proof

type Proof = MethodInput<'vault.unlock'>

interface ProofState {
  readonly way: 'passphrase' | 'code'
  readonly typed: string
  readonly isMissing: boolean
  change(state: { readonly way?: 'passphrase' | 'code'; readonly typed?: string }): void
  take(): Proof | null
}

function useProof(): ProofState {
  const [way, setWay] = useState<'passphrase' | 'code'>('passphrase')
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  return {
    way,
    typed,
    isMissing,
    change: (state) => {
      setWay(state.way ?? way)
      setTyped(state.typed ?? '')
      setMissing(false)
    },
    take: () => {
      if (typed.trim() === '') {
        setMissing(true)
        return null
      }
      return way === 'passphrase' ? { passphrase: typed } : { recovery_code: typed.trim().slice(0, 200) }
    },
  }
}

const isAboutProof = (code: ErrorCode | null): boolean => code === 'wrong-passphrase' || code === 'wrong-recovery-code'

function ProofField({ proof, error }: { readonly proof: ProofState; readonly error: ErrorCode | null }) {
  const wrong = proof.way === 'passphrase' ? proofWords.wrongPassphrase : proofWords.wrongCode
  return (
    <div className="access-proof">
      <TextField
        key={proof.way}
        label={proof.way === 'passphrase' ? proofWords.passphrase : proofWords.code}
        type={proof.way === 'passphrase' ? 'password' : 'text'}
        autoFocus
        maxLength={1000}
        value={proof.typed}
        onChange={(typed) => proof.change({ typed })}
        error={proof.isMissing ? proofWords.missing : isAboutProof(error) ? wrong : undefined}
      />
      <LinkButton onPress={() => proof.change({ way: proof.way === 'passphrase' ? 'code' : 'passphrase' })}>
        {proof.way === 'passphrase' ? proofWords.useCode : proofWords.usePassphrase}
      </LinkButton>
    </div>
  )
}
