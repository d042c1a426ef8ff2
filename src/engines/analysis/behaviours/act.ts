import { cleanText } from '#engines/language/rules/clean.ts'
import { asksSomething } from '#engines/language/rules/labels.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/rules/tokens.ts'
import { featuresOf } from './features.ts'
import type { LinearModel } from './linear.ts'
import { probabilities } from './linear.ts'
import weights from './weights.json' with { type: 'json' }

/** The four acts that sets of labelled therapist utterances have in common. */
export const acts = ['question', 'reflection', 'information', 'other'] as const
export type Act = (typeof acts)[number]

/** How much saying the other's words again speaks for a reflection; reasoned, as no set learnt from has both turns. */
const echoWeight = 3

/** What a therapist's words do, from the words themselves and those of the turn before. */
export function actOf(text: string, previous: string | null, model: LinearModel = weights): Act {
  const shares = probabilities(model, featuresOf(text))
  // A question says words again as well: "Did somebody ask?"
  const echo = previous === null || asks(text) ? 0 : echoOf(text, previous)
  const scored = model.classes.map((name, at) => ({
    act: acts.find((act) => act === name) ?? 'other',
    score: (shares[at] ?? 0) * (name === 'reflection' ? Math.exp(echoWeight * echo) : 1),
  }))
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).act
}

function asks(text: string): boolean {
  return /\?["'\s]*$/.test(text) || asksSomething(cleanText(text), true, true, !/[.?!]/.test(text))
}

/** Share of the words that the other one had just said, from two words on. */
export function echoOf(text: string, previous: string): number {
  const own = contentStems(wordsOf(text))
  return own.size < 2 ? 0 : shareOf(own, contentStems(wordsOf(previous)))
}
