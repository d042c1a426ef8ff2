import { CloudOff } from 'lucide-react'
import type { ErrorCode } from '#contract/errors.ts'
import { hoursStrings } from '#renderer/strings/week.ts'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'

const words = hoursStrings.notSaved

interface NotSavedProps {
  readonly code: ErrorCode
  readonly text?: string
}

/** Working hours don't go through the outbox, so the usual offline message ("sent later") would be wrong. */
export function NotSaved({ code, text }: NotSavedProps) {
  if (code !== 'service-unreachable') return <Problem code={code} />
  return (
    <div role="alert">
      <Notice tone="needs" icon={CloudOff} title={text === undefined ? words.title : undefined}>
        {text ?? words.text}
      </Notice>
    </div>
  )
}

/** Focusing the first invalid field scrolls its error into view. */
export function focusFirstWrong(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('.ui-field[data-invalid] :is(input, [role="spinbutton"])')?.focus()
}

export function takeWorkingTime(told: WorkingTime): void {
  queryClient.setQueryData(['schedule.workingTime', {}], told)
}
