import { orderFormOf } from './answer-form.ts'
import { ask } from './ask.ts'
import { budgetOf } from './budget.ts'
import type { Candidate } from './candidates.ts'
import type { FormSection } from './form-sections.ts'
import { fencedStatements, orderInstructions } from './prompt.ts'
import type { TextModel } from './text-model.ts'
import { tokensOf } from './tokens.ts'

const mostKept = 40

export interface Arranged {
  readonly candidates: readonly Candidate[]
  /** False: the model was of no help, so they stand as they came. */
  readonly is_arranged: boolean
}

/**
 * The last pass over what several parts gave. The model names numbers, so it can put in order and leave out but write
 * nothing; what concerns safety is never left out, whatever it says.
 */
export async function arrange(
  candidates: readonly Candidate[],
  sections: readonly FormSection[],
  model: TextModel,
  signal: AbortSignal,
): Promise<Arranged> {
  const asItCame = { candidates, is_arranged: false }
  const instructions = orderInstructions(sections, mostKept)
  const prompt = fencedStatements(candidates.map(({ key, statement }) => ({ key, text: statement.text })))
  const budget = budgetOf(model.context_tokens, instructions)
  if (tokensOf(prompt) > budget.read) return asItCame
  const form = orderFormOf(sections.map(({ key }) => key))
  const asked = await ask(model, { instructions, prompt, most_tokens: budget.answer }, form, signal, () => {})
  if (asked.kind !== 'value') return asItCame
  const taken = new Set<number>()
  const ordered = asked.value.sections.flatMap(({ key, statements }) =>
    statements.flatMap((number) => {
      const candidate = candidates[number - 1]
      if (!candidate || taken.has(number)) return []
      taken.add(number)
      return [{ ...candidate, key }]
    }),
  )
  if (ordered.length === 0) return asItCame
  const kept = candidates.filter(({ statement }, index) => statement.safety && !taken.has(index + 1))
  return { candidates: [...ordered, ...kept], is_arranged: true }
}
