import { useState } from 'react'
import type { Analysis, Behaviour } from '#contract/model/analysis.ts'
import { behaviourSchema } from '#contract/model/analysis.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { QuoteList } from './quote-line.tsx'

const words = insightWords.behaviours
const mostTurns = 40

/** A table whose counts are drawn as bars: it reads the same without them. */
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
                title={words.turnsOf(words.name(open))}
                evidence={behaviours.turns
                  .filter(({ behaviour }) => behaviour === open)
                  .flatMap(({ evidence }) => evidence)
                  .slice(0, mostTurns)}
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
        {count === 0 ? words.name(behaviour) : <LinkButton onPress={() => onOpen(behaviour)}>{words.name(behaviour)}</LinkButton>}
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
