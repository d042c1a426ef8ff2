import { useCall } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatDate } from '#renderer/strings/time.ts'
import type { SessionData } from '../session-data.ts'

const words = sessionWords.now

/** The plan of the last note of this client: what was agreed, in its own words. */
export function LastTime({ data }: { readonly data: SessionData }) {
  const { session } = data.row
  const rows = useCall('sessions.list', { client_id: session.client_id, to: session.starts_at })
  const last = (rows.data ?? [])
    .filter((row) => row.session.id !== session.id && row.note !== null && row.session.starts_at < session.starts_at)
    .toSorted((a, b) => b.session.starts_at.localeCompare(a.session.starts_at))[0]
  const note = useCall('notes.get', { session_id: last?.session.id ?? session.id }, { enabled: last !== undefined })
  const plan = note.data?.note?.sections.find((section) => `${section.key} ${section.title}`.toLowerCase().includes('plan'))
  if (last === undefined || plan === undefined || plan.statements.length === 0) return null
  return (
    <section className="last-time" aria-labelledby="last-time-title">
      <div className="last-time-head">
        <h2 id="last-time-title" className="session-aside-title">
          {words.lastTime}
        </h2>
        <span className="caption">{formatDate(last.session.starts_at)}</span>
      </div>
      {plan.statements.slice(0, 4).map((statement) => (
        <p key={statement.id}>{statement.text}</p>
      ))}
    </section>
  )
}
