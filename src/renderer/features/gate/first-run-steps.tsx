import { Lock, Printer, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { isWebAddress } from '#renderer/lib/places.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Step } from './step.tsx'
import { RadioGroup, Checkbox } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import './place-step.css'
import { MIN_PASSPHRASE_CHARACTERS } from '#contract/bridge/app.ts'
import { recoveryCodeStrings } from '#renderer/strings/app.ts'
import { copyText } from '#renderer/bridge/use-bridge.ts'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import type { Protection } from '#contract/bridge/app.ts'

const words = gateStrings.place

export function PlaceStep({ choices, hasKeychain, onChange, onNext }: StepProps & { readonly hasKeychain: boolean }) {
  const [isChecked, setChecked] = useState(false)
  const isPractice = choices.place === 'practice'
  const isWrong = isPractice && !isWebAddress(choices.service_address.trim())
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
          {
            value: 'laptop',
            label: (
              <>
                {words.laptop} <span className="place-suggested">{words.suggested}</span>
              </>
            ),
            detail: words.laptopText,
          },
          { value: 'practice', label: words.practice, detail: words.practiceText },
        ]}
      />
      {isPractice && (
        <PracticeFields
          choices={choices}
          hasKeychain={hasKeychain}
          onChange={onChange}
          onLeave={() => setChecked(choices.service_address !== '')}
          error={isChecked && isWrong ? words.addressWrong : undefined}
        />
      )}
    </Step>
  )
}

interface PracticeFieldsProps extends Pick<StepProps, 'choices' | 'onChange'> {
  readonly hasKeychain: boolean
  readonly error: string | undefined
  readonly onLeave: () => void
}

function PracticeFields({ choices, hasKeychain, error, onChange, onLeave }: PracticeFieldsProps) {
  return (
    <div className="step-fields">
      <TextField
        label={words.address}
        help={words.addressHelp}
        type="url"
        size="large"
        value={choices.service_address}
        onChange={(service_address) => onChange({ service_address })}
        onBlur={onLeave}
        error={error}
      />
      {hasKeychain ? (
        <TextField
          label={words.key}
          help={words.keyHelp}
          type="password"
          size="large"
          value={choices.service_key}
          onChange={(service_key) => onChange({ service_key })}
        />
      ) : (
        <Notice>{words.keyPassphrase}</Notice>
      )}
    </div>
  )
}

const therapistWords = gateStrings.therapist

interface TherapistStepProps extends StepProps {
  readonly isBusy: boolean
  readonly problem: string | null
  readonly onBack: () => void
}

export function TherapistStep({ choices, onChange, isBusy, problem, onBack, onNext }: TherapistStepProps) {
  const [isChecked, setChecked] = useState(false)
  const isMissing = choices.therapist_name.trim() === ''
  return (
    <Step
      title={therapistWords.title}
      lead={therapistWords.lead}
      beginsInField
      hint={therapistWords.next}
      hintIcon={Printer}
      nextLabel={therapistWords.create}
      busy={isBusy ? therapistWords.creating : undefined}
      onBack={onBack}
      onNext={() => {
        setChecked(true)
        if (!isMissing) onNext()
      }}
    >
      <TextField
        label={therapistWords.name}
        help={therapistWords.nameHelp}
        size="large"
        autoFocus
        maxLength={200}
        value={choices.therapist_name}
        onChange={(therapist_name) => onChange({ therapist_name })}
        error={isChecked && isMissing ? therapistWords.nameMissing : undefined}
      />
      <TextField
        label={therapistWords.credential}
        help={therapistWords.credentialHelp}
        size="large"
        maxLength={200}
        value={choices.therapist_credential}
        onChange={(therapist_credential) => onChange({ therapist_credential })}
      />
      {problem === 'service-unreachable' ? (
        <Notice tone="needs" title={therapistWords.stopped}>
          {therapistWords.stoppedText}
        </Notice>
      ) : (
        problem !== null && <Problem code={problem} />
      )}
    </Step>
  )
}

const protectionWords = gateStrings.protection

interface ProtectionStepProps extends StepProps {
  readonly hasKeychain: boolean
  readonly onBack: () => void
}

export function ProtectionStep({ choices, hasKeychain, onChange, onBack, onNext }: ProtectionStepProps) {
  const [checked, setChecked] = useState({ passphrase: false, again: false })
  const isPassphrase = choices.protection === 'passphrase'
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
            size="large"
            value={choices.passphrase}
            onChange={(passphrase) => onChange({ passphrase })}
            onBlur={() => setChecked((before) => ({ ...before, passphrase: choices.passphrase !== '' }))}
            error={checked.passphrase && missing > 0 ? protectionWords.tooShort({ missing }) : undefined}
          />
          <TextField
            label={protectionWords.again}
            type="password"
            size="large"
            value={choices.passphrase_again}
            onChange={(passphrase_again) => onChange({ passphrase_again })}
            onBlur={() => setChecked((before) => ({ ...before, again: choices.passphrase_again !== '' }))}
            error={checked.again && differs ? protectionWords.differs : undefined}
          />
        </div>
      )}
    </Step>
  )
}

const recoveryWords = gateStrings.recovery

export function RecoveryStep({ code, onDone }: { readonly code: string; readonly onDone: () => void }) {
  const [isWritten, setWritten] = useState(false)
  return (
    <Step
      title={recoveryWords.title}
      lead={recoveryWords.lead}
      {...(isWritten ? {} : { hint: recoveryCodeStrings.writtenFirst })}
      nextLabel={recoveryWords.done}
      isDisabled={!isWritten}
      onNext={onDone}
    >
      <RecoveryCode code={code} onCopy={copyText} />
      <Checkbox isSelected={isWritten} onChange={setWritten}>
        {recoveryCodeStrings.written}
      </Checkbox>
    </Step>
  )
}

const madeWords = gateStrings.made

/** Shown if the core crashed after creating the records and before the user saw the recovery code. */
export function MadeStep({ protection, onDone }: { readonly protection: Protection; readonly onDone: () => void }) {
  return (
    <Step title={madeWords.title} lead={madeWords.lead} nextLabel={gateStrings.recovery.done} onNext={onDone}>
      <p>{madeWords.code}</p>
      <p>{protection === 'passphrase' ? madeWords.passphrase : madeWords.keychain}</p>
    </Step>
  )
}

export interface FirstRunChoices {
  readonly place: 'laptop' | 'practice'
  readonly service_address: string
  readonly service_key: string
  readonly protection: Protection
  readonly passphrase: string
  readonly passphrase_again: string
  readonly therapist_name: string
  readonly therapist_credential: string
}

interface StepProps {
  readonly choices: FirstRunChoices
  readonly onChange: (part: Partial<FirstRunChoices>) => void
  readonly onNext: () => void
}
