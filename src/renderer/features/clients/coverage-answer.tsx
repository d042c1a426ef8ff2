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
import { Dialog } from '#renderer/ui/dialog.tsx'
import { linesOf, type SaidLine, conflictAt, headlineOf, leadOf, spokenWhen, rowsNamed } from './coverage-lines.ts'

const OLD_AFTER_DAYS = 7

interface CoverageHeadProps {
  readonly said: StoredCoverage
  readonly name: string
  readonly ask: ReactNode
}

export function CoverageHead({ said, name, ask }: CoverageHeadProps) {
  const now = useNow(60_000)
  const days = -daysFromNow(said.checked_at, now)
  return (
    <div className="coverage-head">
      <div>
        <h2 className="coverage-headline">{headlineOf(said, name)}</h2>
        <p className="coverage-lead">{leadOf(said, now)}</p>
        {days > OLD_AFTER_DAYS && <p className="coverage-lead coverage-old">{words.aged({ days })}</p>}
      </div>
      {ask}
    </div>
  )
}

interface CoverageAnswerProps {
  readonly said: StoredCoverage
  readonly newest: StoredCoverage
  readonly onDetails: () => void
}

export function CoverageAnswer({ said, newest, onDetails }: CoverageAnswerProps) {
  const now = useNow(60_000)
  const isFailedSince = newest.id !== said.id
  const carveOut = said.plan?.carve_out ?? null
  return (
    <>
      {isFailedSince && (
        <Notice icon={CircleAlert} title={words.failed({ payer: newest.payer.name, when: spokenWhen(newest.checked_at, now) })}>
          {newest.errors.map(({ hint }) => hint).join(' ')}
        </Notice>
      )}
      {said.source === 'sandbox' && (
        <Notice tone="needs" icon={FlaskConical} title={words.sample.title}>
          {words.sample.text}
        </Notice>
      )}
      {said.errors.length > 0 && (
        <Notice
          tone="needs"
          icon={CircleAlert}
          title={words.errors.title}
          actions={
            <Button size="row" onPress={onDetails}>
              {words.toDetails}
            </Button>
          }
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
        {hasOriginal && <LinkButton onPress={() => setOriginal(true)}>{words.lines.original}</LinkButton>}
      </div>
      {lines.length > 0 && <LinesTable lines={lines} />}
      {isOriginal && <OriginalDialog said={said} onClose={() => setOriginal(false)} />}
    </section>
  )
}

function LinesTable({ lines }: { readonly lines: readonly SaidLine[] }) {
  return (
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
  )
}

const coverageOriginalWords = coverageStrings.original

function OriginalDialog({ said, onClose }: { readonly said: StoredCoverage; readonly onClose: () => void }) {
  /** The payer's raw text can't be redacted, so it is hidden while names are hidden. */
  const isHidden = useSettings()?.hide_names ?? true
  const found = useCall('coverage.original', { eligibility_id: said.eligibility_id }, { enabled: !isHidden })
  return (
    <Dialog
      title={coverageOriginalWords.title({ payer: said.payer.name })}
      lead={coverageOriginalWords.lead}
      isOpen
      onClose={onClose}
      size="wide"
      isReading
      actions={
        <Button autoFocus onPress={onClose}>
          {coverageOriginalWords.close}
        </Button>
      }
    >
      {isHidden && <p>{coverageOriginalWords.hidden}</p>}
      {found.isLoading && <Loading>{coverageOriginalWords.loading}</Loading>}
      {found.error && <Problem code={found.error.code} onRetry={() => void found.refetch()} />}
      {found.data && !isHidden && <pre className="coverage-original">{found.data.text.replaceAll(/~(?!\r?\n)/g, '~\n')}</pre>}
    </Dialog>
  )
}

const coverageCardsWords = coverageStrings.cards

function CoverageCards({ said }: { readonly said: StoredCoverage }) {
  const { authorization_required: approval, telehealth_covered: video } = said.mental_health
  const payer = said.payer.name
  return (
    <ul className="coverage-cards" aria-label={coverageCardsWords.label}>
      <VisitsCard said={said} />
      <Card
        said={said}
        path="mental_health.authorization_required"
        isSaid={approval !== 'unknown'}
        title={coverageCardsWords.approval[approval]}
        text={
          approval === 'unknown'
            ? coverageCardsWords.approval.unknownText({ payer })
            : coverageCardsWords.approval[`${approval}Text`]
        }
      />
      <Card
        said={said}
        path="mental_health.telehealth_covered"
        isSaid={video !== 'unknown'}
        title={coverageCardsWords.video[video]}
        text={video === 'unknown' ? coverageCardsWords.video.unknownText({ payer }) : coverageCardsWords.video[`${video}Text`]}
      />
    </ul>
  )
}

function VisitsCard({ said }: { readonly said: StoredCoverage }) {
  const limit = said.mental_health.visit_limit
  const { remaining = null, total = null } = limit ?? {}
  const path = 'mental_health.visit_limit'
  const { visits } = coverageCardsWords
  if (limit === null || (remaining === null && total === null))
    return (
      <Card said={said} path={path} isSaid={false} title={visits.unknown} text={visits.unknownText({ payer: said.payer.name })} />
    )
  if (remaining === null || total === null)
    return (
      <Card
        said={said}
        path={path}
        isSaid
        title={remaining === null ? visits.total({ total: total ?? 0 }) : visits.leftAlone({ left: remaining })}
        text={remaining === null ? visits.totalText : visits.period({ period: limit.period })}
      />
    )
  return (
    <Card
      said={said}
      path={path}
      isSaid
      title={visits.left({ left: remaining, total })}
      text={visits.period({ period: limit.period })}
    >
      <progress className="ui-progress coverage-bar" value={Math.min(remaining, total)} max={total} aria-label={visits.bar} />
    </Card>
  )
}

interface CardProps {
  readonly said: StoredCoverage
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
