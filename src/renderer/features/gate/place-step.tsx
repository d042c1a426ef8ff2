import { Lock } from 'lucide-react'
import { useState } from 'react'
import { isWebAddress } from '#renderer/lib/web-address.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import type { StepProps } from './first-run-choices.ts'
import { Step } from './step.tsx'
import './place-step.css'

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
