import { CloudOff } from 'lucide-react'
import type { ErrorCode } from '#contract/errors.ts'
import { hoursStrings } from '#renderer/strings/working-hours.ts'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'

const words = hoursStrings.notSaved

interface NotSavedProps {
  readonly code: ErrorCode
  /** Left out: it was being saved, and what was typed is still there. */
  readonly text?: string
}

/** Working hours are kept by the service alone and do not wait in the outbox, so the usual sentence would not be true. */
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

/** A sentence below the fold would stay unread: the first field that is wrong takes the focus, which brings it into view. */
export function focusFirstWrong(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('.ui-field[data-invalid] :is(input, [role="spinbutton"])')?.focus()
}

/** The service's answer to a change is what holds from now on, here and in the Week. */
export function takeWorkingTime(told: WorkingTime): void {
  queryClient.setQueryData(['schedule.workingTime', {}], told)
}
