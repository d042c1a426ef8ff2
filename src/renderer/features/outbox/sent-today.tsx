import { Check } from 'lucide-react'
import { useName } from '#renderer/app/names.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { sentOutcome, sentStrings, sentWhat } from '#renderer/strings/sent-today.ts'
import { formatClock } from '#renderer/ui/time.ts'

/** More are counted, not read. */
const mostShown = 12

/** What the practice has of today, for those who want to see that it arrived. */
export function SentToday() {
  const nameOf = useName()
  const sent = useCall('outbox.sentToday', { limit: mostShown }).data
  if (sent === undefined) return null
  const more = sent.total - sent.items.length
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{sentStrings.title}</h2>
      {sent.total === 0 && <p className="muted">{sentStrings.nothing}</p>}
      <ul>
        {sent.items.map((item) => (
          <li key={item.id} className="sent-line">
            <Check aria-hidden />
            <span>
              <span className="outbox-what">{sentWhat(item, item.client_name === null ? null : nameOf(item.client_name))}</span>
              <span className="caption">{sentOutcome(item, formatClock(item.sent_at))}</span>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="caption">{sentStrings.more(more)}</p>}
    </section>
  )
}
