import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { charactersMissing } from '#renderer/lib/passphrase.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import type { StepProps } from './first-run-choices.ts'
import { Step } from './step.tsx'

const words = gateStrings.protection

interface ProtectionStepProps extends StepProps {
  readonly hasKeychain: boolean
  readonly onBack: () => void
}

export function ProtectionStep({ choices, hasKeychain, onChange, onBack, onNext }: ProtectionStepProps) {
  const [checked, setChecked] = useState({ passphrase: false, again: false })
  const isPassphrase = choices.protection === 'passphrase'
  const missing = charactersMissing(choices.passphrase)
  const differs = choices.passphrase !== choices.passphrase_again
  return (
    <Step
      title={words.title}
      lead={words.lead}
      {...(isPassphrase ? { hint: words.next, hintIcon: KeyRound } : {})}
      onBack={onBack}
      onNext={() => {
        setChecked({ passphrase: true, again: true })
        if (!isPassphrase || (missing <= 0 && !differs)) onNext()
      }}
    >
      <RadioGroup
        label={words.label}
        isLabelHidden
        look="cards"
        value={choices.protection}
        onChange={(protection) => onChange({ protection })}
        options={[
          {
            value: 'keychain',
            label: words.keychain,
            detail: hasKeychain ? words.keychainText : words.keychainMissing,
            isDisabled: !hasKeychain,
          },
          { value: 'passphrase', label: words.passphrase, detail: words.passphraseText },
        ]}
      />
      {isPassphrase && (
        <div className="step-fields">
          <TextField
            label={words.field}
            help={words.fieldHelp}
            type="password"
            size="large"
            value={choices.passphrase}
            onChange={(passphrase) => onChange({ passphrase })}
            onBlur={() => setChecked((before) => ({ ...before, passphrase: choices.passphrase !== '' }))}
            error={checked.passphrase && missing > 0 ? words.tooShort(missing) : undefined}
          />
          <TextField
            label={words.again}
            type="password"
            size="large"
            value={choices.passphrase_again}
            onChange={(passphrase_again) => onChange({ passphrase_again })}
            onBlur={() => setChecked((before) => ({ ...before, again: choices.passphrase_again !== '' }))}
            error={checked.again && differs ? words.differs : undefined}
          />
        </div>
      )}
    </Step>
  )
}
