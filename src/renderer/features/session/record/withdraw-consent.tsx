import { useState } from 'react'
import { useName } from '#renderer/lib/names.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, useCall, useAttempt } from '#renderer/bridge/use-bridge.ts'
import { isFormOf } from '#domain/consent.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatLength } from '#renderer/strings/time.ts'
import { isRunning, peopleOf, type SessionData } from '../session-data.ts'
import { endRecording, eraseRecording } from './end-dialog.tsx'

type Step = 'closed' | 'who' | 'keep'

/** Pressing the button closes the microphone at once. The dialog asks afterward. */
export function WithdrawConsent({ data }: { readonly data: SessionData }) {
  const { recorder } = useRecorder()
  const [step, setStep] = useState<Step>('closed')
  const stop = (): void => {
    setStep('who')
    void recorder.pause()
  }
  return (
    <>
      {isRunning(data.recording) && (
        <Button variant="erasing" size="row" className="session-withdraw" onPress={stop}>
          {sessionWords.withdrawn}
        </Button>
      )}
      <WhoDialog data={data} isOpen={step === 'who'} onClose={() => setStep('closed')} onRevoked={() => setStep('keep')} />
      <KeepDialog data={data} isOpen={step === 'keep'} onDone={() => setStep('closed')} />
    </>
  )
}

interface WhoProps {
  readonly data: SessionData
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRevoked: () => void
}

function WhoDialog({ data, isOpen, onClose, onRevoked }: WhoProps) {
  const name = useName()
  const people = peopleOf(data.row)
  const [chosen, setWho] = useState<string | null>(null)
  const who = people.length === 1 ? (people[0]?.name ?? null) : chosen
  const person = people.find((one) => one.name === who)
  const { doing, error, attempt } = useAttempt<'revoke'>()
  const consents = useCall('consents.list', { client_id: data.row.session.client_id }, { enabled: isOpen })
  const revoke = () =>
    attempt('revoke', async () => {
      const valid = (consents.data ?? []).filter(
        (consent) => consent.revoked_at === null && person !== undefined && isFormOf(consent, person, people),
      )
      for (const consent of valid) await call('consents.revoke', { id: consent.id })
      onRevoked()
    })
  return (
    <Dialog
      title={
        people.length === 1 && who !== null ? sessionWords.withdrawTitle({ name: name(who) }) : sessionWords.withdrawTitleMany
      }
      lead={sessionWords.withdrawLead}
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={false}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {sessionWords.withdrawNo}
          </Button>
          <Button
            variant="erasing"
            busy={doing ? '…' : undefined}
            isDisabled={consents.data === undefined || who === null}
            onPress={() => void revoke()}
          >
            {sessionWords.withdrawYes}
          </Button>
        </>
      }
    >
      {people.length > 1 && (
        <RadioGroup
          label={sessionWords.withdrawWho}
          options={people.map((person) => ({ value: person.name, label: name(person.name) }))}
          value={who}
          onChange={setWho}
        />
      )}
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}

function KeepDialog({
  data,
  isOpen,
  onDone,
}: {
  readonly data: SessionData
  readonly isOpen: boolean
  readonly onDone: () => void
}) {
  const name = useName()
  const { recorder, state } = useRecorder()
  const { doing, error, attempt } = useAttempt<'keep' | 'erase'>()
  const recordingId = data.recording?.id ?? null
  const run = async (which: 'keep' | 'erase'): Promise<void> => {
    if (recordingId === null) return onDone()
    await attempt(which, async () => {
      await (which === 'keep' ? endRecording(recorder, recordingId) : eraseRecording(recorder, recordingId))
      onDone()
    })
  }
  return (
    <Dialog
      title={sessionWords.keepTitle({ name: name(data.row.client_name) })}
      lead={sessionWords.keepLead}
      isOpen={isOpen}
      onClose={() => void run('keep')}
      isDismissable={false}
      actions={
        <>
          <Button autoFocus busy={doing === 'keep' ? sessionWords.end.ending : undefined} onPress={() => void run('keep')}>
            {sessionWords.keep}
          </Button>
          <Button
            variant="erasing"
            busy={doing === 'erase' ? sessionWords.discard.erasing : undefined}
            onPress={() => void run('erase')}
          >
            {sessionWords.eraseNow}
          </Button>
        </>
      }
    >
      <p>{sessionWords.keepSaved({ length: formatLength(data.recording?.saved_ms ?? state.saved_ms) })}</p>
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}
