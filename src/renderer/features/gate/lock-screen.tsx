import { useState, type ReactNode } from 'react'
import type { AppState } from '#contract/bridge/app.ts'
import { lastLock } from '#renderer/app/lock-reason.ts'
import { Mark } from '#renderer/app/mark.tsx'
import { RecordingSign, useUnsavedLength } from '#renderer/app/recording-sign.tsx'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatClock } from '#renderer/ui/time.ts'
import { CodeForm, PassphraseForm } from './unlock-forms.tsx'
import './gate.css'

const words = gateStrings.lock

/** Nothing to see, quick to open. A recording goes on, and the title bar says so. */
export function LockScreen({ state }: { readonly state: AppState }) {
  const usual = state.protection === 'keychain' ? 'keychain' : 'passphrase'
  const [way, setWay] = useState<'keychain' | 'passphrase' | 'code'>(usual)
  const { state: recorder } = useRecorder()
  const unsaved = useUnsavedLength()
  const isRunning = state.recording_id !== null || recorder.phase === 'recording' || recorder.phase === 'paused'
  return (
    <div className="gate">
      <header className="gate-bar">
        <RecordingSign />
      </header>
      <main className="gate-centre">
        <Mark size="large" />
        <h1 className="gate-title">{words.title}</h1>
        <p className="gate-lead">{lockSentence()}</p>
        <div className="gate-card">
          {way === 'passphrase' && <PassphraseForm />}
          {way === 'code' && <CodeForm />}
          {way === 'keychain' && <KeychainButton />}
          <div className="gate-card-foot">
            {way === 'code' ? (
              <LinkButton onPress={() => setWay(usual)}>
                {usual === 'keychain' ? words.useKeychain : words.usePassphrase}
              </LinkButton>
            ) : (
              <LinkButton onPress={() => setWay('code')}>{words.useCode}</LinkButton>
            )}
          </div>
        </div>
        <p className="gate-note">
          <span>{words.neverStopped}</span>{' '}
          <span>{unsaved === null ? (isRunning ? words.oneRunning : words.noneRunning) : words.oneUnsaved(unsaved)}</span>
        </p>
      </main>
    </div>
  )
}

function lockSentence(): ReactNode {
  const reason = lastLock()
  if (reason === null) return words.saved
  const time = formatClock(reason.at)
  const sentence = reason.idle_minutes === null ? words.byHand(time) : words.idle(time, reason.idle_minutes)
  return (
    <>
      {sentence} {words.saved}
    </>
  )
}

function KeychainButton() {
  const retry = useAction('vault.retry')
  return (
    <>
      <p className="muted">{words.keychain}</p>
      {retry.error && <Problem code={retry.error.code} />}
      <Button
        variant="filled"
        size="large"
        autoFocus
        busy={retry.isPending ? words.unlocking : undefined}
        onPress={() => retry.mutate({})}
      >
        {words.unlock}
      </Button>
    </>
  )
}
