import { CloudOff } from 'lucide-react'
import type { ErrorCode } from '#contract/errors.ts'
import { hoursStrings } from '#renderer/strings/working-hours.ts'
import { Notice, Problem } from '#renderer/ui/page.tsx'

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
