import type { AnalysisBody } from '#contract/model/analysis.ts'
import { evidenceOf } from '#engines/language/rules/evidence.ts'
import { factsOfInterventions } from '#engines/language/rules/interventions.ts'
import { factsOfReflections } from '#engines/language/rules/reflections.ts'
import type { SessionView } from '#engines/language/rules/session.ts'

/** Named from the therapist's own act, as in a note. */
export function interventionsOf(view: SessionView): AnalysisBody['interventions'] {
  return factsOfInterventions(view, factsOfReflections(view).length).map(({ topic, spans }) => ({
    name: topic,
    evidence: evidenceOf(spans),
  }))
}
