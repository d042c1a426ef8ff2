import { Lock, Printer, KeyRound, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { isWebAddress } from '#renderer/lib/places.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { RadioGroup, Checkbox } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { Button } from '#renderer/ui/button.tsx'
import './step.css'
import { MIN_PASSPHRASE_CHARACTERS } from '#contract/bridge/app.ts'
import { recoveryCodeStrings } from '#renderer/strings/app.ts'
import { copyText } from '#renderer/bridge/use-bridge.ts'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import type { Protection } from '#contract/bridge/app.ts'

const words = gateStrings.place
const therapist = gateStrings.therapist
const protectionWords = gateStrings.protection
const recovery = gateStrings.recovery
const made = gateStrings.made

export function PlaceStep({ choices, hasKeychain, onChange, onNext }: StepProps) {
  const [isChecked, setChecked] = useState(false)
  const isPractice = choices.place === 'practice'
  const field = fieldsFor(choices, onChange)
  const isWrong = isPractice && !isWebAddress(choices.service_address.trim())
  const suggested = (
    <>
      {words.laptop} <span className="place-suggested">{words.suggested}</span>
    </>
  )
  return (
    <Step
      title={words.title}
      lead={words.lead}
      hint={words.next}
      hintIcon={Lock}
      onNext={() => {
        setChecked(true)
        if (!isWrong) onNext()
      }}
    >
      <RadioGroup
        label={words.title}
        isLabelHidden
        look="cards"
        value={choices.place}
        onChange={(place) => onChange({ place })}
        options={[
          { value: 'laptop', label: suggested, detail: words.laptopText },
          { value: 'practice', label: words.practice, detail: words.practiceText },
        ]}
      />
      {isPractice && (
        <div className="step-fields">
          <TextField
            label={words.address}
            help={words.addressHelp}
            type="url"
            {...field('service_address')}
            onBlur={() => setChecked(choices.service_address !== '')}
            error={isChecked && isWrong && words.addressWrong}
          />
          {hasKeychain ? (
            <TextField label={words.key} help={words.keyHelp} type="password" {...field('service_key')} />
          ) : (
            <Notice text={words.keyPassphrase} />
          )}
        </div>
      )}
    </Step>
  )
}

type TherapistStepProps = LaterStepProps & Readonly<{ isBusy: boolean; problem: string | null }>

export function TherapistStep({ choices, onChange, isBusy, problem, onBack, onNext }: TherapistStepProps) {
  const [isChecked, setChecked] = useState(false)
  const field = fieldsFor(choices, onChange)
  const isMissing = choices.therapist_name.trim() === ''
  return (
    <Step
      title={therapist.title}
      lead={therapist.lead}
      beginsInField
      hint={therapist.next}
      hintIcon={Printer}
      nextLabel={therapist.create}
      busy={isBusy && therapist.creating}
      onBack={onBack}
      onNext={() => {
        setChecked(true)
        if (!isMissing) onNext()
      }}
    >
      <TextField
        label={therapist.name}
        help={therapist.nameHelp}
        {...field('therapist_name')}
        autoFocus
        maxLength={200}
        error={isChecked && isMissing && therapist.nameMissing}
      />
      <TextField
        label={therapist.credential}
        help={therapist.credentialHelp}
        {...field('therapist_credential')}
        maxLength={200}
      />
      {problem === 'service-unreachable' ? (
        <Notice tone="needs" title={therapist.stopped} text={therapist.stoppedText} />
      ) : (
        problem !== null && <Problem code={problem} />
      )}
    </Step>
  )
}

export function ProtectionStep({ choices, hasKeychain, onChange, onBack, onNext }: LaterStepProps) {
  const [checked, setChecked] = useState({ passphrase: false, again: false })
  const isPassphrase = choices.protection === 'passphrase'
  const field = fieldsFor(choices, onChange)
  const missing = MIN_PASSPHRASE_CHARACTERS - [...choices.passphrase].length
  const differs = choices.passphrase !== choices.passphrase_again
  return (
    <Step
      title={protectionWords.title}
      lead={protectionWords.lead}
      {...(isPassphrase ? { hint: protectionWords.next, hintIcon: KeyRound } : {})}
      onBack={onBack}
      onNext={() => {
        setChecked({ passphrase: true, again: true })
        if (!isPassphrase || (missing <= 0 && !differs)) onNext()
      }}
    >
      <RadioGroup
        label={protectionWords.label}
        isLabelHidden
        look="cards"
        value={choices.protection}
        onChange={(protection) => onChange({ protection })}
        options={[
          {
            value: 'keychain',
            label: protectionWords.keychain,
            detail: hasKeychain ? protectionWords.keychainText : protectionWords.keychainMissing,
            isDisabled: !hasKeychain,
          },
          { value: 'passphrase', label: protectionWords.passphrase, detail: protectionWords.passphraseText },
        ]}
      />
      {isPassphrase && (
        <div className="step-fields">
          <TextField
            label={protectionWords.field}
            help={protectionWords.fieldHelp}
            type="password"
            {...field('passphrase')}
            onBlur={() => setChecked((before) => ({ ...before, passphrase: choices.passphrase !== '' }))}
            error={checked.passphrase && missing > 0 && protectionWords.tooShort({ missing })}
          />
          <TextField
            label={protectionWords.again}
            type="password"
            {...field('passphrase_again')}
            onBlur={() => setChecked((before) => ({ ...before, again: choices.passphrase_again !== '' }))}
            error={checked.again && differs && protectionWords.differs}
          />
        </div>
      )}
    </Step>
  )
}

export function RecoveryStep({ code, onDone }: { readonly code: string; readonly onDone: () => void }) {
  const [isWritten, setWritten] = useState(false)
  return (
    <Step
      title={recovery.title}
      lead={recovery.lead}
      {...(isWritten ? {} : { hint: recoveryCodeStrings.writtenFirst })}
      nextLabel={recovery.done}
      isDisabled={!isWritten}
      onNext={onDone}
    >
      <RecoveryCode code={code} onCopy={copyText} />
      <Checkbox isSelected={isWritten} onChange={setWritten} label={recoveryCodeStrings.written} />
    </Step>
  )
}

export function MadeStep({ protection, onDone }: { readonly protection: Protection; readonly onDone: () => void }) {
  return (
    <Step title={made.title} lead={made.lead} nextLabel={gateStrings.recovery.done} onNext={onDone}>
      <p>{made.code}</p>
      <p>{protection === 'passphrase' ? made.passphrase : made.keychain}</p>
    </Step>
  )
}

export const noChoices = {
  place: 'laptop' as 'laptop' | 'practice',
  service_address: '',
  service_key: '',
  protection: 'passphrase' as Protection,
  passphrase: '',
  passphrase_again: '',
  therapist_name: '',
  therapist_credential: '',
}
export type FirstRunChoices = Readonly<typeof noChoices>

interface StepProps {
  readonly choices: FirstRunChoices
  readonly hasKeychain: boolean
  readonly onChange: (part: Partial<FirstRunChoices>) => void
  readonly onNext: () => void
}

type LaterStepProps = StepProps & Readonly<{ onBack: () => void }>

const fieldsFor =
  (choices: FirstRunChoices, onChange: StepProps['onChange']) =>
  (name: Exclude<keyof FirstRunChoices, 'place' | 'protection'>) => ({
    size: 'large' as const,
    value: choices[name],
    onChange: (text: string) => onChange({ [name]: text }),
  })

interface StepFrameProps {
  readonly title: string
  readonly lead: string
  readonly hint?: string
  readonly hintIcon?: LucideIcon
  readonly nextLabel?: string
  readonly busy?: string | false
  readonly isDisabled?: boolean
  readonly beginsInField?: boolean
  readonly onBack?: () => void
  readonly onNext: () => void
  readonly children: ReactNode
}

function Step(props: StepFrameProps) {
  const { title, lead, hint, hintIcon: HintIcon, busy, isDisabled = false, beginsInField = false } = props
  const { nextLabel = gateStrings.welcome.continue, onBack, onNext, children } = props
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!busy && !isDisabled) onNext()
  }
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!beginsInField) heading.current?.focus()
  }, [beginsInField])
  return (
    <form className="step" onSubmit={submit} noValidate>
      <h1 className="gate-title" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p className="step-lead">{lead}</p>
      <div className="step-body">{children}</div>
      <div className="step-foot">
        {hint !== undefined && (
          <p className="step-hint">
            {HintIcon && <HintIcon aria-hidden />}
            {hint}
          </p>
        )}
        <div className="step-actions">
          {onBack && <Button size="large" onPress={onBack} label={gateStrings.welcome.back} />}
          <Button variant="filled" size="large" type="submit" busy={busy} isDisabled={isDisabled} label={nextLabel} />
        </div>
      </div>
    </form>
  )
}
