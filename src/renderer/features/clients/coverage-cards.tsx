import { CircleHelp } from 'lucide-react'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import { coverageStrings } from '#renderer/strings/coverage.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { conflictAt } from './coverage-lines.ts'
import { rowsNamed } from './coverage-reading.ts'

const words = coverageStrings.cards

export function CoverageCards({ said }: { readonly said: StoredCoverage }) {
  const { authorization_required: approval, telehealth_covered: video } = said.mental_health
  const payer = said.payer.name
  return (
    <ul className="coverage-cards" aria-label={words.label}>
      <VisitsCard said={said} />
      <Card
        said={said}
        path="mental_health.authorization_required"
        isSaid={approval !== 'unknown'}
        title={words.approval[approval]}
        text={approval === 'unknown' ? words.approval.unknownText(payer) : words.approval[`${approval}Text`]}
      />
      <Card
        said={said}
        path="mental_health.telehealth_covered"
        isSaid={video !== 'unknown'}
        title={words.video[video]}
        text={video === 'unknown' ? words.video.unknownText(payer) : words.video[`${video}Text`]}
      />
    </ul>
  )
}

function VisitsCard({ said }: { readonly said: StoredCoverage }) {
  const limit = said.mental_health.visit_limit
  const { remaining = null, total = null } = limit ?? {}
  const path = 'mental_health.visit_limit'
  const { visits } = words
  if (limit === null || (remaining === null && total === null))
    return <Card said={said} path={path} isSaid={false} title={visits.unknown} text={visits.unknownText(said.payer.name)} />
  if (remaining === null || total === null)
    return (
      <Card
        said={said}
        path={path}
        isSaid
        title={remaining === null ? visits.total(total ?? 0) : visits.leftAlone(remaining)}
        text={remaining === null ? visits.totalText : visits.period(limit.period)}
      />
    )
  return (
    <Card said={said} path={path} isSaid title={visits.left(remaining, total)} text={visits.period(limit.period)}>
      <progress className="ui-progress coverage-bar" value={Math.min(remaining, total)} max={total} aria-label={visits.bar} />
    </Card>
  )
}

interface CardProps {
  readonly said: StoredCoverage
  /** Where the value stands in the answer. */
  readonly path: string
  readonly isSaid: boolean
  readonly title: string
  readonly text: string
  readonly children?: React.ReactNode
}

function Card({ said, path, isSaid, title, text, children }: CardProps) {
  const conflict = conflictAt(said, path)
  const unsaid = conflict === undefined ? coverageStrings.chip.notSaid : coverageStrings.chip.unclear
  return (
    <li className="ui-card coverage-card">
      {isSaid && conflict === undefined ? (
        <Chip tone="kept">{coverageStrings.chip.said}</Chip>
      ) : (
        <Chip tone="needs" icon={CircleHelp}>
          {unsaid}
        </Chip>
      )}
      <h3>{title}</h3>
      <p>{conflict === undefined ? text : `${rowsNamed(conflict.rows)}: ${conflict.values.join(coverageStrings.lines.or)}`}</p>
      {children}
    </li>
  )
}
