import { CalendarX, Eraser, GitCompareArrows, type LucideIcon } from 'lucide-react'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { useName } from '#renderer/lib/names.ts'
import { conflictPath } from '#renderer/lib/routes.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { conflictLine, conflictStrings, conflictTitle } from '#renderer/strings/conflicts.ts'
import { formatDayTime } from '#renderer/strings/time.ts'
import { onlyChoice } from './conflict-questions.tsx'
import './conflicts.css'

export function ConflictList() {
  const open = useCall('conflicts.list', {}).data ?? []
  const now = useNow(60_000)
  return (
    <Group title={conflictStrings.group} conflicts={open}>
      {(conflict) => facts(conflict, now)}
    </Group>
  )
}

export function DecidedList() {
  const decided = useCall('conflicts.list', { decided: true }).data ?? []
  const now = useNow(60_000)
  return (
    <Group title={conflictStrings.decidedGroup} conflicts={decided}>
      {(conflict) => conflictStrings.decidedLine({ when: formatDayTime(conflict.decided_at ?? conflict.found_at, now) })}
    </Group>
  )
}

function facts(conflict: Conflict, now: Date): string {
  const { session_starts_at, found_at } = conflict
  const session = session_starts_at === null ? [] : [conflictStrings.ofSession({ when: formatDayTime(session_starts_at, now) })]
  const line = [...session, conflictLine(conflict), conflictStrings.foundAt({ when: formatDayTime(found_at, now) })].join(' · ')
  return line.charAt(0).toLocaleUpperCase() + line.slice(1)
}

const icons: Readonly<Record<Conflict['kind'], LucideIcon>> = {
  fields: GitCompareArrows,
  document: GitCompareArrows,
  booking: CalendarX,
  erased: Eraser,
}

interface GroupProps {
  readonly title: string
  readonly conflicts: readonly Conflict[]
  readonly children: (conflict: Conflict) => string
}

function Group({ title, conflicts, children }: GroupProps) {
  const nameOf = useName()
  if (conflicts.length === 0) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{title}</h2>
      <ul className="ui-rows">
        {conflicts.map((conflict) => (
          <li key={conflict.id} className="conflict-line" data-decided={conflict.decided_at !== null || undefined}>
            <a href={`#${conflictPath(conflict.id)}`}>
              <KindIcon kind={conflict.kind} />
              <span>
                <span className="conflict-line-title">
                  {conflictTitle(conflict, conflict.client_name === null ? null : nameOf(conflict.client_name))}
                </span>
                <span className="caption">{children(conflict)}</span>
              </span>
              <span className="conflict-line-open">
                {conflict.decided_at === null && onlyChoice(conflict) === null ? conflictStrings.open : conflictStrings.look}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function KindIcon({ kind }: { readonly kind: Conflict['kind'] }) {
  const Icon = icons[kind]
  return <Icon aria-hidden />
}
