import { Printer } from 'lucide-react'
import { useState } from 'react'
import { gateStrings } from '#renderer/strings/gate.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import type { StepProps } from './first-run-choices.ts'
import { Step } from './step.tsx'

const words = gateStrings.therapist

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
      title={words.title}
      lead={words.lead}
      beginsInField
      hint={words.next}
      hintIcon={Printer}
      nextLabel={words.create}
      busy={isBusy ? words.creating : undefined}
      onBack={onBack}
      onNext={() => {
        setChecked(true)
        if (!isMissing) onNext()
      }}
    >
      <TextField
        label={words.name}
        help={words.nameHelp}
        size="large"
        autoFocus
        maxLength={200}
        value={choices.therapist_name}
        onChange={(therapist_name) => onChange({ therapist_name })}
        error={isChecked && isMissing ? words.nameMissing : undefined}
      />
      <TextField
        label={words.credential}
        help={words.credentialHelp}
        size="large"
        maxLength={200}
        value={choices.therapist_credential}
        onChange={(therapist_credential) => onChange({ therapist_credential })}
      />
      {problem === 'service-unreachable' ? (
        <Notice tone="needs" title={words.stopped}>
          {words.stoppedText}
        </Notice>
      ) : (
        problem !== null && <Problem code={problem} />
      )}
    </Step>
  )
}
