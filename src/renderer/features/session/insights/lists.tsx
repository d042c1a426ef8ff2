import type { Analysis, NextQuestion } from '#contract/model/analysis.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { PlaceContext, QuoteList } from './quote-line.tsx'

/** Proposals, each with why and the words it rests on. */
export function NextQuestions({ analysis }: { readonly analysis: Analysis }) {
  const words = insightWords.next
  // Words of risk have a place of their own, above.
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
