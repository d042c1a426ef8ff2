import { useState, type ReactNode, useEffect } from 'react'
import { textOrNull } from '#renderer/lib/text.ts'
import { useAppState, lastLock } from '#renderer/lib/app-state.ts'
import { useCall, useAction, BridgeFailure, call, failureCode } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { Loading, Notice, Problem, Mark } from '#renderer/ui/page.tsx'
import type { AppState } from '#contract/bridge/app.ts'
import { RecordingSign, useUnsavedLength, useSaving } from '#renderer/lib/recording-sign.tsx'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { chooseLanguage, language, languages, type Language } from '#renderer/strings/locale.ts'
import { formatClock, formatLength } from '#renderer/strings/time.ts'
import { PencilLine, Quote, ShieldCheck } from 'lucide-react'
import { queryClient } from '#renderer/bridge/query-client.ts'
import type { FirstRunChoices } from './first-run-steps.tsx'
import { MadeStep, noChoices, PlaceStep, ProtectionStep, RecoveryStep } from './first-run-steps.tsx'
import { TranscriptionStep } from './transcription-step.tsx'
import { CodeForm, PassphraseForm, SlowOpening, TroubleScreen } from './unlock-forms.tsx'
import './gate.css'
import './first-run.css'

export function Gate({ children }: { readonly children: ReactNode }) {
  const state = useAppState()
  const { error } = useCall('app.state', {})
  const [isFirstRun, setFirstRun] = useState(false)
  if (state?.phase === 'first_run' && !isFirstRun) setFirstRun(true)

  // First-run setup stays open during a restart of the core, so that the user's input is not lost.
  if (state !== undefined && isFirstRun) return <FirstRun state={state} onDone={() => setFirstRun(false)} />
  if (state === undefined || state.phase === 'starting') {
    return (
      <main className="gate-starting">
        <h1 className="visually-hidden">{appStrings.name}</h1>
        {error === null ? <Loading>{appStrings.starting}</Loading> : <Problem code={error.code} />}
      </main>
    )
  }
  if (state.phase === 'trouble') return <TroubleScreen key={state.trouble} trouble={state.trouble ?? 'disk-failed'} />
  if (state.phase === 'locked') return <LockScreen state={state} />
  return children
}

const words = gateStrings.lock

function LockScreen({ state }: { readonly state: AppState }) {
  const usual = state.protection === 'keychain' ? 'keychain' : 'passphrase'
  const [way, setWay] = useState<'keychain' | 'passphrase' | 'code'>(usual)
  const back = usual === 'keychain' ? words.useKeychain : words.usePassphrase
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
          {state.keys_may_be_older && way !== 'keychain' && <Notice tone="needs" text={words.olderKeys} />}
          {way === 'passphrase' && <PassphraseForm />}
          {way === 'code' && <CodeForm />}
          {way === 'keychain' && <KeychainButton />}
          <div className="gate-card-foot">
            <LinkButton onPress={() => setWay(way === 'code' ? usual : 'code')} label={way === 'code' ? back : words.useCode} />
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
  if (unsaved !== null) return words.oneUnsaved({ length: unsaved })
  if (phase === 'paused') return words.onePaused
  if (recording_id === null && phase !== 'recording') return words.noneRunning
  if (saving.kind === 'silent') return words.oneSilent({ length: formatLength(saving.ms) })
  return saving.kind === 'saving' ? words.oneRunning : words.oneOpen
}

function lockSentence(): ReactNode {
  const reason = lastLock()
  if (reason === null) return words.sinceStart
  const time = formatClock(reason.at)
  const sentence = reason.idle_minutes === null ? words.byHand({ time }) : words.idle({ time, minutes: reason.idle_minutes })
  return (
    <>
      {sentence} {words.saved}
    </>
  )
}

function KeychainButton() {
  const { isPending, error, mutate } = useAction('vault.retry')
  const unlock = (): void => mutate({})
  return (
    <>
      <p className="muted">{words.keychain}</p>
      {error && <Problem code={error.code} />}
      <Button variant="filled" size="large" autoFocus busy={isPending && words.unlocking} onPress={unlock} label={words.unlock} />
      <SlowOpening isPending={isPending} />
    </>
  )
}

const firstRunWords = gateStrings.welcome
const steps = ['place', 'protection', 'recovery', 'transcription'] as const
type Step = (typeof steps)[number]

function FirstRun({ state, onDone }: { readonly state: AppState; readonly onDone: () => void }) {
  const [step, setStep] = useState<Step>('place')
  const protection = state.keychain_available ? 'keychain' : 'passphrase'
  const [choices, setChoices] = useState<FirstRunChoices>({ ...noChoices, protection })
  const change = (part: Partial<FirstRunChoices>): void => setChoices((before) => ({ ...before, ...part }))
  const making = useMaking(choices, () => {
    change({ passphrase: '', passphrase_again: '', service_key: '' })
    setStep('recovery')
  })
  const isMade = step === 'recovery' || step === 'transcription'
  const isOver = !isMade && !making.isUnderWay && state.phase !== 'first_run' && state.phase !== 'starting'
  const isMadeElsewhere = isOver && state.phase !== 'trouble' && making.problem === null
  useEffect(() => {
    if (isMadeElsewhere) onDone()
  }, [isMadeElsewhere, onDone])
  const shown = choices.place === 'practice' ? steps.slice(0, -1) : steps
  const own = { choices, hasKeychain: state.keychain_available, onChange: change }
  if (isOver && state.phase === 'trouble') return <TroubleScreen trouble={state.trouble ?? 'disk-failed'} />
  return (
    <FirstRunFrame version={state.app_version} steps={shown} step={isOver ? shown.length : shown.indexOf(step) + 1}>
      {isOver && <MadeStep protection={state.protection ?? choices.protection} onDone={onDone} />}
      {!isOver && step === 'place' && <PlaceStep {...own} onNext={() => setStep('protection')} />}
      {!isOver && step === 'protection' && (
        <ProtectionStep
          {...own}
          isBusy={making.isBusy || state.phase === 'starting'}
          problem={making.isUnderWay ? null : making.problem}
          onBack={() => setStep('place')}
          onNext={() => void making.make()}
        />
      )}
      {step === 'recovery' && making.code !== null && (
        // A practice's server does the transcription.
        <RecoveryStep code={making.code} onDone={choices.place === 'practice' ? onDone : () => setStep('transcription')} />
      )}
      {step === 'transcription' && <TranscriptionStep hasKeychain={state.keychain_available} onDone={onDone} />}
    </FirstRunFrame>
  )
}

function useMaking(choices: FirstRunChoices, onMade: () => void) {
  const create = useAction('vault.create')
  const [isAsking, setAsking] = useState(false)
  const isUnderWay = create.isPending || create.data !== undefined || isAsking
  const make = async (): Promise<void> => {
    if (isUnderWay) return
    try {
      await create.mutateAsync(creationOf(choices))
      await connectPractice(choices)
      onMade()
    } catch (error) {
      if (!(error instanceof BridgeFailure)) throw error
      // The core may have crashed after it created the records, so ask the restarted core whether they exist.
      setAsking(true)
      queryClient.setQueryData(['app.state', {}], await call('app.state', {}))
    } finally {
      setAsking(false)
    }
  }
  return {
    isBusy: create.isPending || isAsking,
    isUnderWay,
    problem: create.error && failureCode(create.error),
    code: create.data?.recovery_code ?? null,
    make,
  }
}

function creationOf(choices: FirstRunChoices) {
  return {
    protection: choices.protection,
    ...(choices.protection === 'passphrase' ? { passphrase: choices.passphrase } : {}),
    therapist_name: choices.therapist_name.trim(),
    therapist_credential: textOrNull(choices.therapist_credential),
  }
}

async function connectPractice(choices: FirstRunChoices): Promise<void> {
  if (choices.place !== 'practice') return
  try {
    await call('settings.update', { service_address: choices.service_address.trim() })
    if (choices.service_key !== '') await call('settings.setKey', { which: 'service', key: choices.service_key })
  } catch (error) {
    if (!(error instanceof BridgeFailure)) throw error
  }
}

const points = [
  { icon: ShieldCheck, ...firstRunWords.points.locked },
  { icon: Quote, ...firstRunWords.points.source },
  { icon: PencilLine, ...firstRunWords.points.decide },
]

type FrameProps = Readonly<{ version: string; steps: readonly string[]; step: number; children: ReactNode }>

function FirstRunFrame({ version, steps: shown, step, children }: FrameProps) {
  return (
    <div className="first-run">
      <header className="first-run-side">
        <p className="first-run-brand">
          <Mark size="middle" /> {appStrings.name}
        </p>
        <p className="first-run-headline">{firstRunWords.headline}</p>
        <ul className="first-run-points">
          {points.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <Icon aria-hidden />
              <div>
                <p className="first-run-point">{title}</p>
                <p className="first-run-point-text">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        <p className="first-run-version">
          {gateStrings.version({ version })}
          {step === 1 && languages.filter((other) => other !== language).map((other) => <LanguageLink key={other} to={other} />)}
        </p>
      </header>
      <main className="first-run-main">
        <div className="first-run-step">
          <p className="first-run-progress">
            {shown.map((name, index) => (
              <span key={name} className="first-run-dash" data-done={index < step || undefined} aria-hidden />
            ))}
            <span>{firstRunWords.step({ step, of: shown.length })}</span>
          </p>
          {children}
        </div>
      </main>
    </div>
  )
}

/** Only where nothing is typed yet, because the window is loaded again. */
function LanguageLink({ to }: { readonly to: Language }) {
  const change = (): void => {
    chooseLanguage(to)
    location.reload()
  }
  return (
    <span lang={to}>
      {' · '}
      <LinkButton onPress={change} label={appStrings.languages[to]} />
    </span>
  )
}
