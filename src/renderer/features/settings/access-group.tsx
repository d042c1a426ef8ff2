import { useState } from 'react'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { useForm, wrongOf, type Form } from '#renderer/lib/use-form.ts'
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
import { Group, Row } from './setting.tsx'
import type { ErrorCode } from '#contract/errors.ts'

const changeWords = accessStrings.passphrase
const newCodeWords = accessStrings.code
const proofWords = accessStrings.proof

export function AccessGroup() {
  const hasPassphrase = useAppState()?.protection === 'passphrase'
  const [open, setOpen] = useState<'passphrase' | 'code' | null>(null)
  const { data: made, refetch } = useCall('vault.recoveryCodeMade', {})
  const close = (): void => {
    setOpen(null)
    void refetch()
  }
  const row = (which: 'passphrase' | 'code', action: string) => (
    <Row
      label={words[which].label}
      text={words[which].text}
      action={<Button onPress={() => setOpen(which)} aria-label={`${words[which].label}: ${action}`} label={action} />}
    >
      {which === 'code' && made && (
        <p className="caption">
          {(made.is_proven ? words.code.made : words.code.madeUnproven)({
            day: formatFullDate(made.made_at),
            time: formatClock(made.made_at),
          })}
        </p>
      )}
    </Row>
  )
  return (
    <Group title={words.title}>
      {hasPassphrase && row('passphrase', words.passphrase.change)}
      {row('code', words.code.make)}
      {open === 'passphrase' && <PassphraseDialog onClose={close} />}
      {open === 'code' && <NewCodeDialog hasPassphrase={hasPassphrase} onClose={close} />}
    </Group>
  )
}

function wrongPassphrase({ next, again, proof }: ProofFields & { readonly next: string; readonly again: string }) {
  const missing = MIN_PASSPHRASE_CHARACTERS - [...next].length
  return wrongOf({
    proof: proof.trim() === '' && proofWords.missing,
    next: missing > 0 && changeWords.tooShort({ missing }),
    again: missing <= 0 && next !== again && changeWords.differs,
  })
}

function PassphraseDialog({ onClose }: { readonly onClose: () => void }) {
  const toast = useToast()
  const { doing, error, attempt } = useAttempt<'change'>()
  const form = useForm({ ...noProof, next: '', again: '' }, wrongPassphrase)
  const change = async (): Promise<void> => {
    if (doing !== null) return
    const input = { proof: proofOf(form.fields), passphrase: form.fields.next }
    if ((await attempt('change', () => call('vault.changePassphrase', input))) !== null) return
    toast({ text: changeWords.changed })
    onClose()
  }
  return (
    <FormDialog
      title={changeWords.title}
      lead={changeWords.text}
      onClose={onClose}
      isDismissable={false}
      cancel={accessStrings.cancel}
      submit={changeWords.save}
      busy={doing !== null && changeWords.saving}
      onSubmit={form.submit(change)}
    >
      <ProofField form={form} error={error} />
      <TextField {...form.bind('next')} label={changeWords.next} help={changeWords.nextHelp} type="password" maxLength={1000} />
      <TextField {...form.bind('again')} label={changeWords.again} type="password" maxLength={1000} />
      {error !== null && !isAboutProof(error) && <Problem code={error} />}
    </FormDialog>
  )
}

/** Without a passphrase, requests no proof, because the keychain opens for anyone who uses this computer account. */
function NewCodeDialog({ hasPassphrase, onClose }: Readonly<{ hasPassphrase: boolean; onClose: () => void }>) {
  const [code, setCode] = useState<string | null>(null)
  const { doing, error, attempt } = useAttempt<'make'>()
  const form = useForm(noProof, hasPassphrase ? wrongProof : () => ({}))
  const make = async (): Promise<void> => {
    if (doing !== null) return
    const proof = hasPassphrase ? proofOf(form.fields) : null
    await attempt('make', async () => setCode((await call('vault.newRecoveryCode', { proof })).recovery_code))
  }
  if (code !== null) return <MadeDialog code={code} onClose={onClose} />
  return (
    <FormDialog
      title={newCodeWords.title}
      lead={hasPassphrase ? newCodeWords.lead : newCodeWords.leadKeychain}
      onClose={onClose}
      isDismissable={false}
      isCancelFocused={!hasPassphrase}
      cancel={accessStrings.cancel}
      submit={newCodeWords.makeIt}
      busy={doing !== null && newCodeWords.making}
      onSubmit={form.submit(make)}
    >
      {hasPassphrase && <ProofField form={form} error={error} />}
      {error !== null && !(hasPassphrase && isAboutProof(error)) && <Problem code={error} />}
    </FormDialog>
  )
}

/** The code is shown only once, so Esc and clicks outside don't close the dialog. */
function MadeDialog({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  const [isWritten, setWritten] = useState(false)
  const { written, writtenFirst } = recoveryCodeStrings
  return (
    <Dialog
      title={newCodeWords.titleMade}
      lead={newCodeWords.leadMade}
      onClose={() => undefined}
      isDismissable={false}
      size="wide"
      actions={
        <Button variant="filled" isDisabled={!isWritten} reason={writtenFirst} onPress={onClose} label={newCodeWords.done} />
      }
    >
      <div className="ui-form">
        <RecoveryCode code={code} onCopy={copyText} />
        <Checkbox isSelected={isWritten} onChange={setWritten} label={written} />
      </div>
    </Dialog>
  )
}

type ProofFields = Readonly<{ way: 'passphrase' | 'code'; proof: string }>

const noProof: ProofFields = { way: 'passphrase', proof: '' }

const wrongProof = ({ proof }: ProofFields) => wrongOf({ proof: proof.trim() === '' && proofWords.missing })

const proofOf = ({ way, proof }: ProofFields): MethodInput<'vault.unlock'> =>
  way === 'passphrase' ? { passphrase: proof } : { recovery_code: proof.trim().slice(0, 200) }

const isAboutProof = (code: ErrorCode | null): boolean => code === 'wrong-passphrase' || code === 'wrong-recovery-code'

type ProofFieldProps = Readonly<{
  form: Pick<Form<ProofFields>, 'fields' | 'wrong' | 'set' | 'uncheck'>
  error: ErrorCode | null
}>

function ProofField({ form: { fields, wrong, set, uncheck }, error }: ProofFieldProps) {
  const isCode = fields.way === 'code'
  const other = isCode ? proofWords.usePassphrase : proofWords.useCode
  const refused = isCode ? proofWords.wrongCode : proofWords.wrongPassphrase
  const useOther = (): void => {
    set({ way: isCode ? 'passphrase' : 'code', proof: '' })
    uncheck()
  }
  return (
    <div className="access-proof">
      <TextField
        key={fields.way}
        label={isCode ? proofWords.code : proofWords.passphrase}
        type={isCode ? 'text' : 'password'}
        autoFocus
        maxLength={1000}
        value={fields.proof}
        onChange={(proof) => set({ proof })}
        error={wrong.proof ?? (isAboutProof(error) ? refused : undefined)}
      />
      <LinkButton onPress={useOther} label={other} />
    </div>
  )
}
