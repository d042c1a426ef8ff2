import { Check, Minus } from 'lucide-react'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { weekStrings } from '#renderer/strings/week.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'

export function startOf({ occurrences: [first] }: ScheduleProposal): string {
  return first === undefined ? '' : new Date(first.start + first.utc_offset).toISOString()
}

export function whenOf(proposal: ScheduleProposal): string {
  return capitalized(formatDayTime(startOf(proposal)))
}

interface Props {
  readonly label: string
  readonly proposals: readonly ScheduleProposal[]
  readonly value: string | null
  readonly onChange: (id: string) => void
}

export function TimeOptions({ label, proposals, value, onChange }: Props) {
  return (
    <RadioGroup
      label={label}
      look="cards"
      value={value}
      onChange={onChange}
      options={proposals.map((proposal, index) => ({
        value: proposal.id,
        label: (
          <span className="week-option">
            {whenOf(proposal)}
            {index === 0 && (
              <Chip tone="kept" icon={null}>
                {weekStrings.best}
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
    <ul className="week-reasons">
      {why.map((text) => (
        <li key={text}>
          <Check aria-hidden />
          {text}
        </li>
      ))}
      {tradeoffs.map((text) => (
        <li key={text} data-against>
          <Minus aria-label={weekStrings.against} />
          {text}
        </li>
      ))}
    </ul>
  )
}
