import { faultOf } from '../check.ts'
import type { Choice } from '../choose.ts'
import { contentStems, shareOf, wordsOf } from '../tokens.ts'
import type { Fact } from '../types.ts'

type Part = 'said' | 'seen' | 'judged' | 'planned'

/** Shares of the words; what a part does not need, the others take. */
const shares: Readonly<Record<Part, number>> = { said: 0.36, seen: 0.24, judged: 0.14, planned: 0.26 }
const most = 900
const least = 160

function partOf(fact: Fact): Part {
  if (fact.kind === 'observation' || fact.kind === 'score') return 'seen'
  if (fact.kind === 'reflection') return 'judged'
  return fact.kind === 'plan' || fact.kind === 'next' ? 'planned' : 'said'
}

/** A visit is dense with facts: its note follows what was spoken, not the clock. */
export function visitBudget(spoken: number): number {
  return Math.max(Math.min(spoken, least), Math.min(most, Math.round(spoken * 0.5)))
}

export function chooseForVisit(facts: readonly Fact[], names: readonly string[], budget: number): Choice {
  const faulty: { fact: Fact; reason: string }[] = []
  const sound = facts.filter((fact) => {
    const reason = faultOf(fact, names)
    if (reason !== null) faulty.push({ fact, reason })
    return reason === null
  })
  const ranked = sound.toSorted(
    (one, other) =>
      Number(other.must) - Number(one.must) || other.score - one.score || one.at - other.at || (one.text < other.text ? -1 : 1),
  )
  const chosen: Fact[] = []
  const spent: Record<Part, number> = { said: 0, seen: 0, judged: 0, planned: 0 }
  const take = (fact: Fact, limit: number): boolean => {
    const length = wordsOf(fact.text).length
    const part = partOf(fact)
    const total = Object.values(spent).reduce((sum, each) => sum + each, 0)
    const isPressing = fact.must && fact.safety && fact.kind === 'finding'
    const isOver = total + length > budget * (isPressing ? 1.25 : fact.must ? 1.1 : 1)
    if (isOver || (!isPressing && spent[part] + length > limit) || isSaid(fact, chosen)) return false
    chosen.push(fact)
    spent[part] += length
    return true
  }
  const waiting = ranked.filter((fact) => !take(fact, budget * shares[partOf(fact)] * (fact.must ? 1.3 : 1)))
  const left = waiting.filter((fact) => fact.score < 0.8 || !take(fact, budget))
  return { chosen, left: left.filter((fact) => !isSaid(fact, chosen)), faulty }
}

/** The same sentence, or seven in ten of its words, stand in the note already. */
function isSaid(fact: Fact, chosen: readonly Fact[]): boolean {
  const stems = contentStems(wordsOf(fact.text))
  const own = fact.spans.map((span) => span.sentence.index)
  return chosen.some((other) => {
    const answers = new Set(other.spans.map((span) => span.sentence.index))
    if (own.every((index) => answers.has(index))) return true
    const others = contentStems(wordsOf(other.text))
    const [small, large] = stems.size <= others.size ? [stems, others] : [others, stems]
    return small.size >= 2 && shareOf(small, large) > 0.7 && stems.size <= others.size + 2
  })
}
