import { CircleAlert, CircleHelp, FlaskConical } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { coverageStrings as words, coverageStrings } from '#renderer/strings/coverage.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Notice, Loading, Problem } from '#renderer/ui/page.tsx'
import { daysFromNow } from '#renderer/strings/time.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { ReadingDialog } from '#renderer/ui/dialog.tsx'
import { linesOf, conflictAt, headlineOf, leadOf, spokenWhen, rowsNamed } from './coverage-lines.ts'

const original = coverageStrings.original
const cards = coverageStrings.cards

const OLD_AFTER_DAYS = 7

export function CoverageHead({ said, name, ask }: Readonly<{ said: StoredCoverage | null; name: string; ask: ReactNode }>) {
  const now = useNow(60_000)
  const days = said === null ? 0 : -daysFromNow(said.checked_at, now)
  return (
    <div className="coverage-head">
      <div>
        <h2 className="coverage-headline">{said === null ? words.nothingYet.headline({ name }) : headlineOf(said, name)}</h2>
        <p className="coverage-lead">{said === null ? words.nothingYet.text : leadOf(said, now)}</p>
        {days > OLD_AFTER_DAYS && <p className="coverage-lead coverage-old">{words.aged({ days })}</p>}
      </div>
      {ask}
    </div>
  )
}

type CoverageAnswerProps = Readonly<{ said: StoredCoverage; newest: StoredCoverage; onDetails: () => void }>

export function CoverageAnswer({ said, newest, onDetails }: CoverageAnswerProps) {
  const now = useNow(60_000)
  const isFailedSince = newest.id !== said.id
  const carveOut = said.plan?.carve_out ?? null
  return (
    <>
      {isFailedSince && (
        <Notice
          icon={CircleAlert}
          title={words.failed({ payer: newest.payer.name, when: spokenWhen(newest.checked_at, now) })}
          text={newest.errors.map(({ hint }) => hint).join(' ')}
        />
      )}
      {said.source === 'sandbox' && (
        <Notice tone="needs" icon={FlaskConical} title={words.sample.title} text={words.sample.text} />
      )}
      {said.errors.length > 0 && (
        <Notice
          tone="needs"
          icon={CircleAlert}
          title={words.errors.title}
          actions={<Button size="row" onPress={onDetails} label={words.toDetails} />}
        >
          <ul>
            {said.errors.map(({ aaa, location, hint }) => (
              <li key={`${aaa} ${location}`}>{hint}</li>
            ))}
          </ul>
        </Notice>
      )}
      {said.status === 'active' && <CoverageCards said={said} />}
      {carveOut !== null && (
        <Notice>
          {words.lines.carveOut({ name: carveOut.name })}
          {carveOut.phone !== null && ` ${carveOut.phone}`}
        </Notice>
      )}
      <Lines said={said} />
    </>
  )
}

function Lines({ said }: { readonly said: StoredCoverage }) {
  const [isOriginal, setOriginal] = useState(false)
  const hasOriginal = said.raw_ref !== null && said.raw_ref !== undefined
  const lines = said.benefits.length > 0 ? linesOf(said) : []
  if (lines.length === 0 && !hasOriginal) return null
  return (
    <section>
      <div className="coverage-lines-head">
        <h2>{lines.length === 0 ? words.lines.titleAlone : words.lines.title}</h2>
        {hasOriginal && <LinkButton onPress={() => setOriginal(true)} label={words.lines.original} />}
      </div>
      {lines.length > 0 && (
        <table className="coverage-lines">
          <caption className="visually-hidden">{words.lines.title}</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{words.lines.what}</th>
              <th scope="col">{words.lines.said}</th>
              <th scope="col">{words.lines.where}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ label, value, where, isUnclear }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td data-unsaid={value === null || undefined}>
                  {value ?? words.chip.notSaid}{' '}
                  {isUnclear && (
                    <Chip tone="needs" icon={CircleHelp}>
                      {words.chip.unclear}
                    </Chip>
                  )}
                </td>
                <td>{where}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isOriginal && <OriginalDialog said={said} onClose={() => setOriginal(false)} />}
    </section>
  )
}

function OriginalDialog({ said, onClose }: { readonly said: StoredCoverage; readonly onClose: () => void }) {
  /** The payer's raw text can't be redacted, so it is hidden while names are hidden. */
  const isHidden = useSettings()?.hide_names ?? true
  const found = useCall('coverage.original', { eligibility_id: said.eligibility_id }, { enabled: !isHidden })
  return (
    <ReadingDialog
      title={original.title({ payer: said.payer.name })}
      lead={original.lead}
      onClose={onClose}
      close={original.close}
    >
      {isHidden && <p>{original.hidden}</p>}
      {found.isLoading && <Loading>{original.loading}</Loading>}
      {found.error && <Problem code={found.error.code} onRetry={() => void found.refetch()} />}
      {found.data && !isHidden && <pre className="coverage-original">{found.data.text.replaceAll(/~(?!\r?\n)/g, '~\n')}</pre>}
    </ReadingDialog>
  )
}

function CoverageCards({ said }: { readonly said: StoredCoverage }) {
  const card = (field: 'authorization_required' | 'telehealth_covered', words: typeof cards.approval | typeof cards.video) => {
    const answer = said.mental_health[field]
    const text = answer === 'unknown' ? words.unknownText({ payer: said.payer.name }) : words[`${answer}Text`]
    return <Card said={said} field={field} isSaid={answer !== 'unknown'} title={words[answer]} text={text} />
  }
  return (
    <ul className="coverage-cards" aria-label={cards.label}>
      <VisitsCard said={said} />
      {card('authorization_required', cards.approval)}
      {card('telehealth_covered', cards.video)}
    </ul>
  )
}

function VisitsCard({ said }: { readonly said: StoredCoverage }) {
  const { visits } = cards
  const limit = said.mental_health.visit_limit
  const card = (title: string, text: string, rest: { isSaid: boolean; children?: ReactNode } = { isSaid: true }) => (
    <Card said={said} field="visit_limit" title={title} text={text} {...rest} />
  )
  const { remaining = null, total = null } = limit ?? {}
  if (limit === null || (remaining === null && total === null))
    return card(visits.unknown, visits.unknownText({ payer: said.payer.name }), { isSaid: false })
  if (remaining === null) return card(visits.total({ total: total ?? 0 }), visits.totalText)
  if (total === null) return card(visits.leftAlone({ left: remaining }), visits.period({ period: limit.period }))
  const left = Math.min(remaining, total)
  const bar = <progress className="ui-progress coverage-bar" value={left} max={total} aria-label={visits.bar} />
  return card(visits.left({ left: remaining, total }), visits.period({ period: limit.period }), { isSaid: true, children: bar })
}

interface CardProps {
  readonly said: StoredCoverage
  readonly field: keyof StoredCoverage['mental_health']
  readonly isSaid: boolean
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}

function Card({ said, field, isSaid, title, text, children }: CardProps) {
  const conflict = conflictAt(said, `mental_health.${field}`)
  return (
    <li className="ui-card coverage-card">
      {isSaid && conflict === undefined ? (
        <Chip tone="kept">{coverageStrings.chip.said}</Chip>
      ) : (
        <Chip tone="needs" icon={CircleHelp}>
          {conflict === undefined ? coverageStrings.chip.notSaid : coverageStrings.chip.unclear}
        </Chip>
      )}
      <h3>{title}</h3>
      <p>{conflict === undefined ? text : `${rowsNamed(conflict.rows)}: ${conflict.values.join(coverageStrings.lines.or)}`}</p>
      {children}
    </li>
  )
}
