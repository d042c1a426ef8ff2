import { GitCompareArrows } from 'lucide-react'
import { useName } from '#renderer/app/names.ts'
import { conflictPath } from '#renderer/app/navigation.ts'
import { useNow } from '#renderer/app/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { conflictLine, conflictStrings, conflictTitle } from '#renderer/strings/conflicts.ts'
import { formatDayTime } from '#renderer/ui/time.ts'
import './conflicts.css'

/** In the outbox: what somebody has to choose between. Nothing where there is no such thing. */
export function ConflictList() {
  const conflicts = useCall('conflicts.list', {}).data ?? []
  const nameOf = useName()
  const now = useNow(60_000)
  if (conflicts.length === 0) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{conflictStrings.group}</h2>
      <ul className="ui-rows">
        {conflicts.map((conflict) => (
          <li key={conflict.id} className="conflict-line">
            <a href={`#${conflictPath(conflict.id)}`}>
              <GitCompareArrows aria-hidden />
              <span>
                <span className="conflict-line-title">
                  {conflictTitle(conflict, conflict.client_name === null ? null : nameOf(conflict.client_name))}
                </span>
                <span className="caption">
                  {conflictLine(conflict)}, {formatDayTime(conflict.found_at, now)}
                </span>
              </span>
              <span className="conflict-line-open">{conflictStrings.open}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
