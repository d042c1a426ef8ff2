import { useRef, useState } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { isFormOf } from '#domain/consent.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import type { Recorder } from '#renderer/recorder/recorder-state.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { formatLength } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { ConfirmDialog, Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { isRunning, peopleOf, useSession } from '../session-data.ts'

interface DialogProps {
  readonly recording: Recording
  readonly isOpen: boolean
  readonly onClose: () => void
}

const words = sessionWords.end

export function EndDialog({ recording, isOpen, onClose }: DialogProps) {
  const { id, row, settings } = useSession()
  const name = useName()
  const { recorder, state } = useRecorder()
  const { doing, error, attempt } = useAttempt<'end'>()
  const isReady = useCall('transcripts.get', { session_id: id }, { enabled: isOpen }).data?.speech_ready
  const { granted } = row.consent
  const isTranscriptNext = settings.transcribe_when_finished && granted.includes('transcribe')
  const isDraftNext = isReady === true && isTranscriptNext && granted.includes('draft')
  const next = isDraftNext ? words.nextWithDraft : isTranscriptNext ? words.next : words.nextManual
  const afterwards = granted.includes('transcribe') ? next : words.nextWithoutConsent
  const end = () =>
    attempt('end', async () => {
      await endRecording(recorder, recording.id)
      onClose()
      navigate(sessionPath(id, isDraftNext ? 'note' : 'transcript'))
    })
  return (
    <ConfirmDialog
      title={words.title({ name: name(row.client_name) })}
      lead={words.lead({ length: formatLength(Math.max(state.saved_ms, recording.saved_ms)) })}
      isOpen={isOpen}
      onClose={onClose}
      cancel={words.goOn}
      submit={words.end}
      variant="filled"
      busy={doing ? words.ending : undefined}
      error={error}
      onConfirm={end}
    >
      {isReady !== undefined && <p>{isReady ? afterwards : words.nextNotSetUp(settingsStrings.groups)}</p>}
    </ConfirmDialog>
  )
}

const discardWords = sessionWords.discard

export function DiscardDialog({ recording, isOpen, onClose }: DialogProps) {
  const { row } = useSession()
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
    <ConfirmDialog
      title={discardWords.title({ name: name(row.client_name) })}
      lead={discardWords.lead({ length: formatLength(recording.saved_ms) })}
      isOpen={isOpen}
      onClose={onClose}
      role="alertdialog"
      cancel={discardWords.keep}
      submit={discardWords.erase}
      busy={doing ? discardWords.erasing : undefined}
      error={error}
      onConfirm={erase}
    >
      <p>{discardWords.stays}</p>
    </ConfirmDialog>
  )
}

async function endRecording(recorder: Recorder, recordingId: string): Promise<void> {
  if (isRecording(recorder, recordingId)) await recorder.finish()
  else await call('recordings.finish', { recording_id: recordingId })
}

async function eraseRecording(recorder: Recorder, recordingId: string): Promise<void> {
  if (isRecording(recorder, recordingId)) await recorder.discard()
  else await call('recordings.erase', { recording_id: recordingId })
}

function isRecording(recorder: Recorder, recordingId: string): boolean {
  const { recording, phase } = recorder.getState()
  return recording?.id === recordingId && phase !== 'idle'
}

export function WithdrawConsent() {
  const { id, recording } = useSession()
  const { recorder, state } = useRecorder()
  const [step, setStep] = useState<'closed' | 'who' | 'keep'>('closed')
  const pausing = useRef<Promise<void> | null>(null)
  const stop = (): void => {
    setStep('who')
    pausing.current = state.phase === 'recording' || state.phase === 'trouble' ? recorder.pause() : null
  }
  const keep = async (): Promise<void> => {
    setStep('closed')
    if (pausing.current === null) return
    await pausing.current
    await recorder.resume()
    // The Record tab says why, and has the button that resumes.
    if (recorder.getState().phase === 'paused') navigate(sessionPath(id, 'record'))
  }
  return (
    <>
      {isRunning(recording) && (
        <Button variant="erasing" size="row" className="session-withdraw" onPress={stop} label={sessionWords.withdrawn} />
      )}
      <WhoDialog isOpen={step === 'who'} onClose={() => void keep()} onRevoked={() => setStep('keep')} />
      <KeepDialog isOpen={step === 'keep'} onDone={() => setStep('closed')} />
    </>
  )
}

interface WhoProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRevoked: () => void
}

function WhoDialog({ isOpen, onClose, onRevoked }: WhoProps) {
  const { row } = useSession()
  const { state } = useRecorder()
  const name = useName()
  const people = peopleOf(row)
  const [chosen, setWho] = useState<string | null>(null)
  const person = people.length === 1 ? people[0] : people.find((one) => one.name === chosen)
  const { doing, error, attempt } = useAttempt<'revoke'>()
  const consents = useCall('consents.list', { client_id: row.session.client_id }, { enabled: isOpen })
  const revoke = () =>
    attempt('revoke', async () => {
      for (const consent of consents.data ?? []) {
        const isValid = consent.revoked_at === null && person !== undefined && isFormOf(consent, person, people)
        if (isValid) await call('consents.revoke', { id: consent.id })
      }
      onRevoked()
    })
  return (
    <ConfirmDialog
      title={
        people.length === 1 && person ? sessionWords.withdrawTitle({ name: name(person.name) }) : sessionWords.withdrawTitleMany
      }
      lead={state.phase === 'idle' ? sessionWords.withdrawLeadElsewhere : sessionWords.withdrawLead}
      isOpen={isOpen}
      onClose={onClose}
      cancel={sessionWords.withdrawNo}
      submit={sessionWords.withdrawYes}
      busy={doing ? '…' : undefined}
      isDisabled={consents.data === undefined || person === undefined}
      error={error}
      onConfirm={revoke}
    >
      {people.length > 1 && (
        <RadioGroup
          label={sessionWords.withdrawWho}
          options={people.map((person) => ({ value: person.name, label: name(person.name) }))}
          value={person?.name ?? null}
          onChange={setWho}
        />
      )}
    </ConfirmDialog>
  )
}

function KeepDialog({ isOpen, onDone }: { readonly isOpen: boolean; readonly onDone: () => void }) {
  const { row, recording } = useSession()
  const name = useName()
  const { recorder, state } = useRecorder()
  const { doing, error, attempt } = useAttempt<'keep' | 'erase'>()
  const run = async (which: 'keep' | 'erase'): Promise<void> => {
    if (recording === null) return onDone()
    await attempt(which, async () => {
      await (which === 'keep' ? endRecording : eraseRecording)(recorder, recording.id)
      onDone()
    })
  }
  return (
    <Dialog
      title={sessionWords.keepTitle({ name: name(row.client_name) })}
      lead={sessionWords.keepLead}
      isOpen={isOpen}
      onClose={() => void run('keep')}
      isDismissable={false}
      actions={
        <>
          <Button
            autoFocus
            busy={doing === 'keep' ? sessionWords.end.ending : undefined}
            onPress={() => void run('keep')}
            label={sessionWords.keep}
          />
          <Button
            variant="erasing"
            busy={doing === 'erase' ? sessionWords.discard.erasing : undefined}
            onPress={() => void run('erase')}
            label={sessionWords.eraseNow}
          />
        </>
      }
    >
      <p>{sessionWords.keepSaved({ length: formatLength(recording?.saved_ms ?? state.saved_ms) })}</p>
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}
