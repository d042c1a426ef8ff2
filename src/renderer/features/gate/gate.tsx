import { useState, type ReactNode } from 'react'
import { useAppState, lastLock } from '#renderer/lib/app-state.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import type { AppState } from '#contract/bridge/app.ts'
import { Mark } from '#renderer/ui/mark.tsx'
import { RecordingSign, useUnsavedLength, useSaving } from '#renderer/lib/recording-sign.tsx'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { formatClock, formatLength } from '#renderer/strings/time.ts'
import { FirstRun } from './first-run.tsx'
import { CodeForm, PassphraseForm, TroubleScreen } from './unlock-forms.tsx'
import './gate.css'

/** What stands before the records until they are open. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const state = useAppState()
  const { error } = useCall('app.state', {})
  // Once begun, the first run stays until the recovery code was kept, although the records are open before that.
  const [isFirstRun, setFirstRun] = useState(false)
  if (state?.phase === 'first_run' && !isFirstRun) setFirstRun(true)

  // It also stays while the core starts again: what was typed is not asked for twice.
  if (state !== undefined && isFirstRun) return <FirstRun state={state} onDone={() => setFirstRun(false)} />
  if (state === undefined || state.phase === 'starting') return <Starting problem={error?.code ?? null} />
  if (state.phase === 'trouble') return <TroubleScreen key={state.trouble} trouble={state.trouble ?? 'disk-failed'} />
  if (state.phase === 'locked') return <LockScreen state={state} />
  return children
}

function Starting({ problem }: { readonly problem: string | null }) {
  return (
    <main className="gate-starting">
      <h1 className="visually-hidden">{appStrings.name}</h1>
      {problem === null ? <Loading>{appStrings.starting}</Loading> : <Problem code={problem} />}
    </main>
  )
}

const words = gateStrings.lock

/** Nothing to see, quick to open. A recording goes on, and the title bar says so. */
function LockScreen({ state }: { readonly state: AppState }) {
  const usual = state.protection === 'keychain' ? 'keychain' : 'passphrase'
  const [way, setWay] = useState<'keychain' | 'passphrase' | 'code'>(usual)
  const recordingSentence = useRecordingSentence(state)
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
          <span>{words.neverStopped}</span> <span>{recordingSentence}</span>
        </p>
      </main>
    </div>
  )
}

function useRecordingSentence({ recording_id }: AppState): string {
  const { phase } = useRecorder().state
  const unsaved = useUnsavedLength()
  const saving = useSaving()
  if (unsaved !== null) return words.oneUnsaved(unsaved)
  if (phase === 'paused') return words.onePaused
  if (recording_id === null && phase !== 'recording') return words.noneRunning
  if (saving.kind === 'silent') return words.oneSilent(formatLength(saving.ms))
  return saving.kind === 'saving' ? words.oneRunning : words.oneOpen
}

function lockSentence(): ReactNode {
  const reason = lastLock()
  if (reason === null) return words.sinceStart
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
