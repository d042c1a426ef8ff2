import type { Protection } from '#contract/bridge/app.ts'

/** What a person chose and typed so far; nothing is stored before the last step. */
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

export interface StepProps {
  readonly choices: FirstRunChoices
  readonly onChange: (part: Partial<FirstRunChoices>) => void
  readonly onNext: () => void
}
