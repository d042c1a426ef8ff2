import { Check } from 'lucide-react'
import { useName } from '#renderer/lib/names.ts'
import { midnight, useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { sentOutcome, sentStrings, sentWhat } from '#renderer/strings/sent-today.ts'
import { formatClock } from '#renderer/strings/time.ts'

/** More are counted, not read. */
const mostShown = 12

/** What the practice has of today, for those who want to see that it arrived. */
export function SentToday() {
  const nameOf = useName()
  const now = useNow(60_000)
  const sent = useCall('outbox.sentToday', { limit: mostShown }).data
  if (sent === undefined) return null
  // Newest first: where one of them is of yesterday, so is all that is not among them.
  const items = sent.items.filter(({ sent_at }) => new Date(sent_at) >= midnight(now))
  const more = items.length < sent.items.length ? 0 : sent.total - items.length
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{sentStrings.title}</h2>
      {items.length + more === 0 && <p className="muted">{sentStrings.nothing}</p>}
      <ul>
        {items.map((item) => (
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
