import { useState, type ReactNode } from 'react'
import { behaviourSchema, type Analysis, type Behaviour } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { PlaceContext, QuoteList } from './quote-line.tsx'

const words = insightWords.behaviours
const MAX_TURNS = 40

interface PartProps {
  readonly title: string
  readonly children: ReactNode
}

export function Part({ title, children }: PartProps) {
  return (
    <section className="insights-part">
      <h2 className="session-section-title">{title}</h2>
      {children}
    </section>
  )
}

/** The bars are hidden from screen readers, because they only repeat the counts. */
export function Behaviours({ analysis: { behaviours } }: { readonly analysis: Analysis }) {
  const [open, setOpen] = useState<Behaviour | null>(null)
  if (behaviours === null) {
    return (
      <Part title={words.title}>
        <p className="muted">{words.unknown}</p>
      </Part>
    )
  }
  const most = Math.max(1, ...Object.values(behaviours.counts))
  const ratios = [
    [words.ratio, words.times(behaviours.reflections_per_question)],
    [words.complex, words.share(behaviours.complex_share)],
    [words.open, words.share(behaviours.open_share)],
  ] as const
  return (
    <Part title={words.title}>
      <table className="behaviours">
        <caption className="visually-hidden">{words.title}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{words.head.what}</th>
            <th scope="col">{words.head.count}</th>
          </tr>
        </thead>
        <tbody>
          {behaviourSchema.options.map((each) => (
            <Row key={each} behaviour={each} count={behaviours.counts[each]} most={most} onOpen={setOpen} />
          ))}
        </tbody>
      </table>
      <dl className="ratios">
        {ratios.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="caption">{words.help}</p>
      {open !== null && (
        <>
          <QuoteList
            title={words.turnsOf(words.name(open))}
            evidence={behaviours.turns
              .filter(({ behaviour }) => behaviour === open)
              .flatMap(({ evidence }) => evidence)
              .slice(0, MAX_TURNS)}
          />
          <LinkButton onPress={() => setOpen(null)}>{words.hide}</LinkButton>
        </>
      )}
    </Part>
  )
}

interface RowProps {
  readonly behaviour: Behaviour
  readonly count: number
  readonly most: number
  readonly onOpen: (behaviour: Behaviour) => void
}

function Row({ behaviour, count, most, onOpen }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {count === 0 ? words.name(behaviour) : <LinkButton onPress={() => onOpen(behaviour)}>{words.name(behaviour)}</LinkButton>}
      </th>
      <td>
        <span className="behaviour-bar" aria-hidden style={{ inlineSize: `${(100 * count) / most}%` }} />
        <span className="tabular">{count}</span>
      </td>
    </tr>
  )
}

interface ListProps extends PartProps {
  readonly none: string
  readonly help?: string
  readonly isEmpty: boolean
}

function AsideList({ title, none, help, isEmpty, children }: ListProps) {
  return (
    <section className="aside-part">
      <h2 className="session-aside-title">{title}</h2>
      {isEmpty && <p className="muted">{none}</p>}
      <ul className="next-questions">{children}</ul>
      {!isEmpty && help !== undefined && <p className="caption">{help}</p>}
    </section>
  )
}

interface DetailsProps {
  readonly summary: string
  readonly evidence: readonly Evidence[]
  readonly className?: string
  readonly children?: ReactNode
}

export function QuoteDetails({ summary, evidence, className, children }: DetailsProps) {
  return (
    <details className={className}>
      <summary>{summary}</summary>
      {children}
      <QuoteList evidence={evidence} />
    </details>
  )
}

export function NextQuestions({ analysis }: { readonly analysis: Analysis }) {
  const words = insightWords.next
  const questions = analysis.next_questions.filter(({ kind }) => kind !== 'risk')
  return (
    <AsideList title={words.title} none={words.none} help={words.help} isEmpty={questions.length === 0}>
      {questions.map(({ kind, text, rationale, evidence, evidence_of }) => {
        const isFromBefore = evidence_of === 'session_before'
        const details = (
          <QuoteDetails summary={text} evidence={evidence}>
            <p className="caption">{isFromBefore ? `${words.fromBefore} ${rationale}` : rationale}</p>
          </QuoteDetails>
        )
        return <li key={`${kind} ${text}`}>{isFromBefore ? <PlaceContext value={null}>{details}</PlaceContext> : details}</li>
      })}
    </AsideList>
  )
}

export function Homework({ analysis: { homework } }: { readonly analysis: Analysis }) {
  const words = insightWords.homework
  return (
    <AsideList title={words.title} none={words.none} isEmpty={homework.length === 0}>
      {homework.map(({ text, evidence }) => (
        <li key={text}>
          <QuoteDetails summary={text} evidence={evidence} />
        </li>
      ))}
    </AsideList>
  )
}

export function Goals({ analysis: { goals } }: { readonly analysis: Analysis }) {
  const words = insightWords.goals
  return (
    <AsideList title={words.title} none={words.none} isEmpty={goals.length === 0}>
      {goals.map(({ text, evidence, source }) => (
        <li key={`${source} ${text}`}>
          {evidence.length === 0 ? (
            <p className="goal-silent">
              {text} <Chip>{words.notRaised}</Chip>
            </p>
          ) : (
            <QuoteDetails summary={source === 'said' ? `“${text}”` : text} evidence={evidence} />
          )}
        </li>
      ))}
    </AsideList>
  )
}
