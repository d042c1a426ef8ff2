import type { AnalysisBody } from '#contract/model/analysis.ts'
import { evidenceOf } from '../language/rules/evidence.ts'
import { factsOfInterventions } from '../language/rules/interventions.ts'
import { factsOfReflections } from '../language/rules/reflections.ts'
import type { SessionView } from '../language/rules/session.ts'

/** Named from the therapist's own act, as in a note. */
export function interventionsOf(view: SessionView): AnalysisBody['interventions'] {
  return factsOfInterventions(view, factsOfReflections(view).length).map(({ topic, spans }) => ({
    name: topic,
    evidence: evidenceOf(spans),
  }))
}
