import type { Act } from '#engines/analysis/behaviours/act.ts'
import { acts } from '#engines/analysis/behaviours/act.ts'
import type { LabelledUtterance } from './behaviour-labels.ts'

const asks =
  /\?|\b(?:what|how|why|when|where|who) (?:do|did|does|are|is|was|were|would|could|can|have|has|about)\b|\b(?:do|did|are|were|have|would|could|can) you\b/i
const saysBack =
  /\b(?:sounds? like|seems like|i hear|you(?:'re| are) (?:saying|feeling)|you feel|so you)\b|^(?:and |but |so )?you(?:'re|'ve)?\b/i
const short = /^\W*(?:[\w']+\W*){1,5}$/
const anything = /./s

/** What four regular expressions make of it, the first that matches. */
export function byFourPatterns(text: string): Act {
  const patterns: readonly [RegExp, Act][] = [
    [asks, 'question'],
    [saysBack, 'reflection'],
    [short, 'other'],
    [anything, 'information'],
  ]
  return patterns.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
}

/** The class that most utterances of this very file have. */
export function majority(utterances: readonly LabelledUtterance[]): Act {
  const count = (act: Act): number => utterances.filter((each) => each.act === act).length
  return acts.reduce((best, act) => (count(act) > count(best) ? act : best))
}
