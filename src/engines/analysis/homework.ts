import type { Evidence } from '#contract/model/note.ts'
import type { SessionTime } from '#engines/language/rules/appointment.ts'
import { faultOf } from '#engines/language/rules/check.ts'
import { evidenceOf } from '#engines/language/rules/evidence.ts'
import { factsOfPlan } from '#engines/language/rules/plan.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/rules/tokens.ts'

export interface Homework {
  readonly text: string
  readonly evidence: readonly Evidence[]
  readonly stems: ReadonlySet<string>
}

/** What was agreed to be done before the next session, each once; the later wording wins. */
export function homeworkOf(view: SessionView, held: SessionTime | null): Homework[] {
  const facts = factsOfPlan(view, held).filter((fact) => fact.kind === 'plan' && faultOf(fact, view.names) === null)
  const kept: Homework[] = []
  for (const { text, spans } of facts.toReversed()) {
    const stems = new Set([...contentStems(wordsOf(text)), ...spans.flatMap(({ sentence }) => [...sentence.stems])])
    const own = contentStems(wordsOf(text))
    if (kept.some((later) => shareOf(own, later.stems) >= 0.7)) continue
    kept.push({ text, evidence: evidenceOf(spans), stems })
  }
  return kept.toReversed()
}
