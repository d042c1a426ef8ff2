import { useState } from 'react'
import type { Analysis, Behaviour, NextQuestion } from '#contract/model/analysis.ts'
import { behaviourSchema } from '#contract/model/analysis.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { QuoteList, PlaceContext } from './quote-line.tsx'
import { Chip } from '#renderer/ui/chip.tsx'

const words = insightWords.behaviours
const MAX_TURNS = 40

/** The bars are hidden from screen readers, because they only repeat the counts. */
export function Behaviours({ analysis }: { readonly analysis: Analysis }) {
  const [open, setOpen] = useState<Behaviour | null>(null)
  const { behaviours } = analysis
  return (
    <section className="insights-part">
      <h2 className="session-section-title">{words.title}</h2>
      {behaviours === null ? (
        <p className="muted">{words.unknown}</p>
      ) : (
        <>
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
                <Row key={each} behaviour={each} behaviours={behaviours} onOpen={setOpen} />
              ))}
            </tbody>
          </table>
          <dl className="ratios">
            <Ratio label={words.ratio} value={words.times(behaviours.reflections_per_question)} />
            <Ratio label={words.complex} value={words.share(behaviours.complex_share)} />
            <Ratio label={words.open} value={words.share(behaviours.open_share)} />
          </dl>
          <p className="caption">{words.help}</p>
          {open !== null && (
            <>
              <QuoteList
                title={words.turnsOf({ behaviour: words.names[open] })}
                evidence={behaviours.turns
                  .filter(({ behaviour }) => behaviour === open)
                  .flatMap(({ evidence }) => evidence)
                  .slice(0, MAX_TURNS)}
              />
              <LinkButton onPress={() => setOpen(null)}>{words.hide}</LinkButton>
            </>
          )}
        </>
      )}
    </section>
  )
}

interface RowProps {
  readonly behaviour: Behaviour
  readonly behaviours: NonNullable<Analysis['behaviours']>
  readonly onOpen: (behaviour: Behaviour) => void
}

function Row({ behaviour, behaviours, onOpen }: RowProps) {
  const most = Math.max(1, ...Object.values(behaviours.counts))
  const count = behaviours.counts[behaviour]
  return (
    <tr>
      <th scope="row">
        {count === 0 ? (
          words.names[behaviour]
        ) : (
          <LinkButton onPress={() => onOpen(behaviour)}>{words.names[behaviour]}</LinkButton>
        )}
      </th>
      <td>
        <span className="behaviour-bar" aria-hidden style={{ inlineSize: `${(100 * count) / most}%` }} />
        <span className="tabular">{count}</span>
      </td>
    </tr>
  )
}

function Ratio({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="tabular">{value}</dd>
    </div>
  )
}

export function NextQuestions({ analysis }: { readonly analysis: Analysis }) {
  const words = insightWords.next
  // Risk cues have their own section above.
  const questions = analysis.next_questions.filter(({ kind }) => kind !== 'risk')
  return (
    <section className="aside-part">
      <h2 className="session-aside-title">{words.title}</h2>
      {questions.length === 0 && <p className="muted">{words.none}</p>}
      <ul className="next-questions">
        {questions.map((question) => (
          <Question key={`${question.kind} ${question.text}`} question={question} />
        ))}
      </ul>
      {questions.length > 0 && <p className="caption">{words.help}</p>}
    </section>
  )
}

function Question({ question }: { readonly question: NextQuestion }) {
  const { text, rationale, evidence, evidence_of } = question
  const quotes = <QuoteList evidence={evidence} />
  return (
    <li>
      <details>
        <summary>{text}</summary>
        <p className="caption">{evidence_of === 'session_before' ? `${insightWords.next.fromBefore} ${rationale}` : rationale}</p>
        {evidence_of === 'session_before' ? <PlaceContext value={null}>{quotes}</PlaceContext> : quotes}
      </details>
    </li>
  )
}

export function Homework({ analysis }: { readonly analysis: Analysis }) {
  const words = insightWords.homework
  return (
    <section className="aside-part">
      <h2 className="session-aside-title">{words.title}</h2>
      {analysis.homework.length === 0 && <p className="muted">{words.none}</p>}
      <ul className="next-questions">
        {analysis.homework.map(({ text, evidence }) => (
          <li key={text}>
            <details>
              <summary>{text}</summary>
              <QuoteList evidence={evidence} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Goals({ analysis }: { readonly analysis: Analysis }) {
  const words = insightWords.goals
  return (
    <section className="aside-part">
      <h2 className="session-aside-title">{words.title}</h2>
      {analysis.goals.length === 0 && <p className="muted">{words.none}</p>}
      <ul className="next-questions">
        {analysis.goals.map(({ text, evidence, source }) => (
          <li key={`${source} ${text}`}>
            {evidence.length === 0 ? (
              <p className="goal-silent">
                {text} <Chip>{words.notRaised}</Chip>
              </p>
            ) : (
              <details>
                <summary>{source === 'said' ? `“${text}”` : text}</summary>
                <QuoteList evidence={evidence} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
