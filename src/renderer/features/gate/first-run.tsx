import { PencilLine, Quote, ShieldCheck } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { AppState } from '#contract/bridge/app.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { Mark } from '#renderer/ui/mark.tsx'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { BridgeFailure, call, failureCode, useAction } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { PlaceStep, TherapistStep, ProtectionStep, RecoveryStep, MadeStep } from './first-run-steps.tsx'
import { TroubleScreen } from './unlock-forms.tsx'
import type { FirstRunChoices } from './first-run-steps.tsx'
import './first-run.css'

const words = gateStrings.welcome
const steps = ['place', 'protection', 'therapist', 'recovery'] as const
type Step = (typeof steps)[number]

interface FirstRunProps {
  readonly state: AppState
  readonly onDone: () => void
}

export function FirstRun({ state, onDone }: FirstRunProps) {
  const [step, setStep] = useState<Step>('place')
  const [choices, setChoices] = useState<FirstRunChoices>({
    place: 'laptop',
    service_address: '',
    service_key: '',
    protection: state.keychain_available ? 'keychain' : 'passphrase',
    passphrase: '',
    passphrase_again: '',
    therapist_name: '',
    therapist_credential: '',
  })
  const change = (part: Partial<FirstRunChoices>): void => setChoices((before) => ({ ...before, ...part }))
  const making = useMaking(choices, () => {
    // What was typed is needed no more, and does not wait in memory.
    change({ passphrase: '', passphrase_again: '', service_key: '' })
    setStep('recovery')
  })
  const isOver = step !== 'recovery' && !making.isUnderWay && state.phase !== 'first_run' && state.phase !== 'starting'
  const isMadeElsewhere = isOver && state.phase !== 'trouble' && making.problem === null
  useEffect(() => {
    if (isMadeElsewhere) onDone()
  }, [isMadeElsewhere, onDone])
  const own = { choices, hasKeychain: state.keychain_available, onChange: change }
  if (isOver && state.phase === 'trouble') return <TroubleScreen trouble={state.trouble ?? 'disk-failed'} />
  return (
    <FirstRunFrame version={state.app_version} step={isOver ? steps.length : steps.indexOf(step) + 1}>
      {isOver && <MadeStep protection={state.protection ?? choices.protection} onDone={onDone} />}
      {!isOver && step === 'place' && <PlaceStep {...own} onNext={() => setStep('protection')} />}
      {!isOver && step === 'protection' && (
        <ProtectionStep {...own} onBack={() => setStep('place')} onNext={() => setStep('therapist')} />
      )}
      {!isOver && step === 'therapist' && (
        <TherapistStep
          choices={choices}
          onChange={change}
          isBusy={making.isBusy || state.phase === 'starting'}
          problem={making.isUnderWay ? null : making.problem}
          onBack={() => setStep('protection')}
          onNext={() => void making.make()}
        />
      )}
      {step === 'recovery' && making.code !== null && <RecoveryStep code={making.code} onDone={onDone} />}
    </FirstRunFrame>
  )
}

interface Making {
  readonly isBusy: boolean
  readonly isUnderWay: boolean
  readonly problem: ErrorCode | null
  readonly code: string | null
  make(): Promise<void>
}

function useMaking(choices: FirstRunChoices, onMade: () => void): Making {
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
      // The core may have gone down in the middle: whether the records were made is asked of the one that came back.
      setAsking(true)
      queryClient.setQueryData(['app.state', {}], await call('app.state', {}))
    } finally {
      setAsking(false)
    }
  }
  const problem = create.error === null ? null : failureCode(create.error)
  return { isBusy: create.isPending || isAsking, isUnderWay, problem, code: create.data?.recovery_code ?? null, make }
}

function creationOf(choices: FirstRunChoices) {
  return {
    protection: choices.protection,
    ...(choices.protection === 'passphrase' ? { passphrase: choices.passphrase } : {}),
    therapist_name: choices.therapist_name.trim(),
    therapist_credential: choices.therapist_credential.trim() === '' ? null : choices.therapist_credential.trim(),
  }
}

/** Settings shows what of it could not be kept, and takes it again. */
async function connectPractice(choices: FirstRunChoices): Promise<void> {
  if (choices.place !== 'practice') return
  try {
    await call('settings.update', { service_address: choices.service_address.trim() })
    if (choices.service_key !== '') await call('settings.setKey', { which: 'service', key: choices.service_key })
  } catch (error) {
    if (!(error instanceof BridgeFailure)) throw error
  }
}

interface FirstRunFrameProps {
  readonly version: string
  readonly step: number
  readonly children: ReactNode
}

function FirstRunFrame({ version, step, children }: FirstRunFrameProps) {
  const points = [
    { icon: ShieldCheck, ...words.points.locked },
    { icon: Quote, ...words.points.source },
    { icon: PencilLine, ...words.points.decide },
  ]
  return (
    <div className="first-run">
      <header className="first-run-side">
        <p className="first-run-brand">
          <Mark size="middle" /> {appStrings.name}
        </p>
        <p className="first-run-headline">{words.headline}</p>
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
        <p className="first-run-version">{gateStrings.version(version)}</p>
      </header>
      <main className="first-run-main">
        <div className="first-run-step">
          <p className="first-run-progress">
            {steps.map((name, index) => (
              <span key={name} className="first-run-dash" data-done={index < step || undefined} aria-hidden />
            ))}
            <span>{words.step(step, steps.length)}</span>
          </p>
          {children}
        </div>
      </main>
    </div>
  )
}
