import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Button } from '#renderer/ui/button.tsx'
import './step.css'

interface StepProps {
  readonly title: string
  readonly lead: string
  readonly hint?: string
  readonly hintIcon?: LucideIcon
  readonly nextLabel?: string
  readonly busy?: string | undefined
  readonly isDisabled?: boolean
  readonly beginsInField?: boolean
  readonly onBack?: () => void
  readonly onNext: () => void
  readonly children: ReactNode
}

export function Step(props: StepProps) {
  const { title, lead, hint, hintIcon: HintIcon, nextLabel, busy, isDisabled = false, beginsInField = false } = props
  const { onBack, onNext, children } = props
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy === undefined && !isDisabled) onNext()
  }
  // A new step moves the focus to its heading, unless it starts in a field.
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
          {onBack && (
            <Button size="large" onPress={onBack}>
              {gateStrings.welcome.back}
            </Button>
          )}
          <Button variant="filled" size="large" type="submit" busy={busy} isDisabled={isDisabled}>
            {nextLabel ?? gateStrings.welcome.continue}
          </Button>
        </div>
      </div>
    </form>
  )
}
