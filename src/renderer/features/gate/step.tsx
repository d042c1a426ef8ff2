import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Button } from '#renderer/ui/button.tsx'
import './step.css'

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

export function Step(props: StepFrameProps) {
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
