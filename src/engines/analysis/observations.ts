import type { AnalysisBody } from '#contract/model/analysis.ts'
import { faultOf } from '#engines/language/rules/check.ts'
import { evidenceOf } from '#engines/language/rules/evidence.ts'
import { factsOfReflections } from '#engines/language/rules/reflections.ts'
import type { SessionView } from '#engines/language/rules/session.ts'

const mostReflections = 3

/** What the session came back to, and what the therapist summed up with the client's yes. */
export function observationsOf(view: SessionView, topics: AnalysisBody['topics']): AnalysisBody['insights'] {
  const [first] = topics
  const returned =
    first !== undefined && first.stretches.length >= 2 && first.evidence.length > 0
      ? [
          {
            text: `“${first.name}” came up at ${first.stretches.length} different moments.`,
            evidence: first.evidence.slice(0, 2),
          },
        ]
      : []
  const summedUp = factsOfReflections(view)
    .filter((fact) => faultOf(fact, view.names) === null)
    .toSorted((left, right) => right.score - left.score || left.at - right.at)
    .slice(0, mostReflections)
    .toSorted((left, right) => left.at - right.at)
    .map(({ text, spans }) => ({ text, evidence: evidenceOf(spans) }))
  return [...returned, ...summedUp]
}
