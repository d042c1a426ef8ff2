import { Check, Minus } from 'lucide-react'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import type { Session } from '#contract/model/session.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { formatDayTime } from '#renderer/strings/time.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import './appointment.css'

const MAX_TIMES = 3

/** Free times in the two weeks from the session's start. */
export function useOtherTimes(session: Session, enabled = true) {
  const from = new Date(Math.max(Date.parse(session.starts_at), Date.now()))
  const input = {
    mode: 'propose' as const,
    client_id: session.client_id,
    session_id: session.id,
    session_type: session.session_type,
    modality: session.modality,
    duration_minutes: session.duration_minutes,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    start: localWall(new Date(session.starts_at)),
    // Whole days, so that the query key does not change while the page is open.
    window: { from: localWall(midnight(from)), to: localWall(midnight(from, 14)) },
  }
  const asked = useCall('schedule.ask', input, { enabled })
  return { asked, proposals: asked.data?.proposals.filter(({ moves }) => moves.length === 0).slice(0, MAX_TIMES) ?? [] }
}

export const localWall = (at: Date): string => `${localDateValue(at)}T${localTimeValue(at)}:00`

export const startOf = ({ occurrences: [first] }: ScheduleProposal): string =>
  first === undefined ? '' : new Date(first.start + first.utc_offset).toISOString()

export const whenOf = (proposal: ScheduleProposal): string => capitalized(formatDayTime(startOf(proposal)))

interface TimeOptionsProps {
  readonly label: string
  readonly proposals: readonly ScheduleProposal[]
  readonly value: string | null
  readonly onChange: (id: string) => void
}

export function TimeOptions({ label, proposals, value, onChange }: TimeOptionsProps) {
  return (
    <RadioGroup
      label={label}
      look="cards"
      value={value}
      onChange={onChange}
      options={proposals.map((proposal, index) => ({
        value: proposal.id,
        label: (
          <span className="calendar-option">
            {whenOf(proposal)}
            {index === 0 && (
              <Chip tone="kept" icon={null}>
                {calendarStrings.best}
              </Chip>
            )}
          </span>
        ),
        detail: <Reasons proposal={proposal} />,
      }))}
    />
  )
}

function Reasons({ proposal: { why, tradeoffs } }: { readonly proposal: ScheduleProposal }) {
  return (
    <ul className="calendar-reasons">
      {why.map((text) => (
        <li key={text}>
          <Check aria-hidden />
          {text}
        </li>
      ))}
      {tradeoffs.map((text) => (
        <li key={text} data-against>
          <Minus aria-label={calendarStrings.against} />
          {text}
        </li>
      ))}
    </ul>
  )
}
