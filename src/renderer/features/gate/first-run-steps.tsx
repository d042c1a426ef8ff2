import { Lock, Printer, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { isWebAddress } from '#renderer/lib/places.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { MIN_PASSPHRASE_CHARACTERS } from '#contract/bridge/app.ts'
import { recoveryCodeStrings } from '#renderer/strings/app.ts'
import { copyText } from '#renderer/bridge/use-bridge.ts'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import type { Protection } from '#contract/bridge/app.ts'
import { Step } from './step.tsx'

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

type ProtectionStepProps = StepProps & Readonly<{ isBusy: boolean; problem: string | null; onBack: () => void }>

export function ProtectionStep(props: ProtectionStepProps) {
  const { choices, hasKeychain, onChange, isBusy, problem, onBack, onNext } = props
  const [isChecked, setChecked] = useState(false)
  const isPassphrase = choices.protection === 'passphrase'
  const isPassphraseRight = !isPassphrase || (missingIn(choices) <= 0 && choices.passphrase === choices.passphrase_again)
  const isNameless = choices.therapist_name.trim() === ''
  const field = fieldsFor(choices, onChange)
  return (
    <Step
      title={protectionWords.title}
      lead={protectionWords.lead}
      hint={isPassphrase ? protectionWords.next : therapist.next}
      hintIcon={isPassphrase ? KeyRound : Printer}
      nextLabel={therapist.create}
      busy={isBusy && therapist.creating}
      onBack={onBack}
      onNext={() => {
        setChecked(true)
        if (!isNameless && isPassphraseRight) onNext()
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
      {isPassphrase && <PassphraseFields choices={choices} onChange={onChange} isChecked={isChecked} />}
      <h2 className="step-heading">{therapist.title}</h2>
      <div className="step-pair">
        <TextField
          label={therapist.name}
          help={therapist.nameHelp}
          {...field('therapist_name')}
          maxLength={200}
          error={isChecked && isNameless && therapist.nameMissing}
        />
        <TextField
          label={therapist.credential}
          help={therapist.credentialHelp}
          {...field('therapist_credential')}
          maxLength={200}
        />
      </div>
      {problem !== null && <CreationProblem code={problem} />}
    </Step>
  )
}

function CreationProblem({ code }: { readonly code: string }) {
  if (code !== 'service-unreachable') return <Problem code={code} />
  return <Notice tone="needs" title={therapist.stopped} text={therapist.stoppedText} />
}

const missingIn = ({ passphrase }: FirstRunChoices): number => MIN_PASSPHRASE_CHARACTERS - [...passphrase].length

type PassphraseProps = Pick<StepProps, 'choices' | 'onChange'> & { readonly isChecked: boolean }

function PassphraseFields({ choices, onChange, isChecked }: PassphraseProps) {
  const [left, setLeft] = useState({ passphrase: false, again: false })
  const field = fieldsFor(choices, onChange)
  const missing = missingIn(choices)
  const { passphrase, passphrase_again } = choices
  return (
    <div className="step-pair">
      <TextField
        label={protectionWords.field}
        help={protectionWords.fieldHelp}
        type="password"
        {...field('passphrase')}
        onBlur={() => setLeft((before) => ({ ...before, passphrase: passphrase !== '' }))}
        error={(isChecked || left.passphrase) && missing > 0 && protectionWords.tooShort({ missing })}
      />
      <TextField
        label={protectionWords.again}
        type="password"
        {...field('passphrase_again')}
        onBlur={() => setLeft((before) => ({ ...before, again: passphrase_again !== '' }))}
        error={(isChecked || left.again) && passphrase !== passphrase_again && protectionWords.differs}
      />
    </div>
  )
}

/** The button itself states that the code is kept, because it is not shown again. */
export function RecoveryStep({ code, onDone }: { readonly code: string; readonly onDone: () => void }) {
  return (
    <Step
      title={recovery.title}
      lead={recovery.lead}
      hint={recoveryCodeStrings.writtenFirst}
      nextLabel={recoveryCodeStrings.written}
      onNext={onDone}
    >
      <RecoveryCode code={code} onCopy={copyText} />
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

const fieldsFor =
  (choices: FirstRunChoices, onChange: StepProps['onChange']) =>
  (name: Exclude<keyof FirstRunChoices, 'place' | 'protection'>) => ({
    size: 'large' as const,
    value: choices[name],
    onChange: (text: string) => onChange({ [name]: text }),
  })
