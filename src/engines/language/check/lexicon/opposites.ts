import { stemOf } from '#engines/language/text/words.ts'

/** Antonyms. A word from one side in the statement contradicts a source that has only words from the other side. */
const table: readonly (readonly [string, string])[] = [
  [
    'increase increased increasing raise raised raising rise rose risen rising higher doubled climbed escalated upped gained',
    'decrease decreased decreasing reduce reduced reducing lower lowered lowering halved fell fallen dropped cut tapered declined less',
  ],
  [
    'better improve improved improving improvement easier calmer lighter happier lift lifted helped helps helping',
    'worse worsen worsened worsening deteriorated deterioration harder heavier weaker poorer',
  ],
  [
    'start started starting began begun commenced commence initiated restarted',
    'stop stopped stopping quit ceased discontinued finished',
  ],
  ['gain gained gaining', 'lose lost losing loss'],
  ['more', 'less fewer'],
  ['like likes liked love loves loved enjoy enjoys enjoyed', 'hate hates hated dislike dislikes disliked loathe detest'],
  ['accept accepted accepts welcomed', 'refuse refused refuses rejected turned declined'],
  ['safe', 'unsafe'],
  ['together jointly', 'alone'],
  ['locked', 'unlocked'],
  ['able', 'unable'],
  ['helpful helps helped helping works', 'unhelpful useless'],
  ['early earlier', 'late later'],
  ['everybody everyone', 'nobody'],
  ['always', 'never rarely'],
  ['often frequently regularly', 'rarely seldom never hardly once'],
  ['several many multiple repeatedly numerous', 'once'],
  ['married', 'divorced separated'],
  ['employed', 'unemployed'],
  ['passed', 'failed'],
  ['won', 'lost'],
  ['remember remembers remembered', 'forget forgets forgot forgotten'],
  ['same', 'different'],
  ['hopeful optimistic', 'hopeless'],
  ['sober abstinent', 'drunk intoxicated'],
  ['supportive', 'unsupportive'],
  ['loud', 'quiet'],
  ['kind', 'cruel unkind'],
  ['regular', 'irregular'],
  ['paid', 'unpaid'],
  ['arrive arrived', 'left'],
  ['morning mornings', 'evening evenings'],
  ['strong stronger', 'weak weaker'],
  ['above', 'below'],
  ['younger', 'older'],
  ['borrowed', 'lent'],
  ['bought', 'sold'],
  ['working', 'dead broken'],
  ['alive', 'dead'],
  ['open opened', 'closed shut'],
  ['empty', 'full'],
  ['clean', 'dirty'],
  ['covered blocked', 'clear uncovered'],
  ['near close', 'far'],
  ['easy easily', 'difficult hard'],
  ['warm hot', 'cold'],
  ['rich', 'poor'],
  ['honest', 'dishonest'],
  ['fast quickly', 'slow slowly'],
  ['awake', 'asleep'],
  ['full-time full', 'part-time part'],
]

const sides = new Map<string, { readonly pair: number; readonly side: 0 | 1 }[]>()
for (const [pair, both] of table.entries()) {
  for (const side of [0, 1] as const) {
    for (const word of both[side].split(' ')) sides.set(word, [...(sides.get(word) ?? []), { pair, side }])
  }
}

export function sidesOf(word: string): readonly { readonly pair: number; readonly side: 0 | 1 }[] {
  return sides.get(word) ?? sides.get(stemOf(word)) ?? []
}
