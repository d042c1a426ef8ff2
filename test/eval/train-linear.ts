import { acts, featuresOf } from '#engines/analysis/behaviours/act.ts'
import type { LinearModel } from '#engines/analysis/behaviours/act.ts'
import type { LabelledUtterance } from './behaviour-labels.ts'

const rounds = 200
const rate = 0.5
/** Weight of keeping weights small, chosen by cross-validation. */
const shrinking = 0.01
/** A feature seen in fewer utterances tells of those utterances alone. */
const fewestUses = 3
const smallestWeight = 0.03
const classes = acts.length

/** One utterance in one spelling: which features it has, and how much of each. */
interface Example {
  readonly places: Int32Array
  readonly values: Float64Array
  readonly target: number
  /** True for the classes its set has. */
  readonly isAmong: readonly boolean[]
  readonly weight: number
}

/** Logistic regression over the four acts, by gradients with steps scaled for each weight. The same data, the same model. */
export function trainLinear(utterances: readonly LabelledUtterance[]): LinearModel {
  const names = namesOf(utterances)
  const examples = examplesOf(utterances, new Map(names.map((name, place) => [name, place])))
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const weights = new Float64Array(names.length * classes)
  const squares = new Float64Array(names.length * classes).fill(1e-6)
  for (let round = 0; round < rounds; round += 1) {
    const slopes = weights.map((weight) => shrinking * weight)
    for (const example of examples) addSlopes(slopes, weights, example, total)
    for (const [at, slope] of slopes.entries()) {
      squares[at]! += slope * slope
      weights[at]! -= (rate * slope) / Math.sqrt(squares[at]!)
    }
  }
  return { classes: acts, weights: rounded(names, weights) }
}

function addSlopes(slopes: Float64Array, weights: Float64Array, example: Example, total: number): void {
  const { places, values, target, isAmong, weight } = example
  const scores = acts.map((_, at) =>
    isAmong[at] ? places.reduce((sum, place, each) => sum + weights[place * classes + at]! * values[each]!, 0) : -Infinity,
  )
  const highest = Math.max(...scores)
  const raised = scores.map((score) => Math.exp(score - highest))
  const sum = raised.reduce((whole, each) => whole + each, 0)
  for (let at = 0; at < classes; at += 1) {
    const slope = (weight / total) * (raised[at]! / sum - (at === target ? 1 : 0))
    for (let each = 0; each < places.length; each += 1) slopes[places[each]! * classes + at]! += slope * values[each]!
  }
}

/** Each utterance as it stands and as a recogniser would write it; an act that is rare counts for more, up to a point. */
function examplesOf(utterances: readonly LabelledUtterance[], placeOf: ReadonlyMap<string, number>): Example[] {
  const labels = new Map<string, number>()
  const counts = acts.map((act) => utterances.filter((each) => each.act === act).length)
  for (const { text } of utterances) labels.set(text, (labels.get(text) ?? 0) + 1)
  return utterances.flatMap(({ text, act, among }) => {
    const target = acts.indexOf(act)
    const weight = 1 / (labels.get(text) ?? 1) / Math.sqrt(counts[target] ?? 1)
    const spellings = spellingsOf(text)
    return spellings.map((features) => {
      const known = [...features].filter(([name]) => placeOf.has(name))
      return {
        places: Int32Array.from(known, ([name]) => placeOf.get(name)!),
        values: Float64Array.from(known, ([, value]) => value),
        target,
        isAmong: acts.map((each) => among.includes(each)),
        weight: weight / spellings.length,
      }
    })
  })
}

const spelled = new Map<string, Map<string, number>[]>()

function spellingsOf(text: string): Map<string, number>[] {
  const known = spelled.get(text)
  if (known) return known
  const plain = text.toLowerCase().replaceAll(/[.,?!;:"]/g, '')
  const spellings = (plain === text ? [text] : [text, plain]).map(featuresOf)
  spelled.set(text, spellings)
  return spellings
}

function namesOf(utterances: readonly LabelledUtterance[]): string[] {
  const uses = new Map<string, number>()
  for (const { text } of utterances) {
    const names = new Set(spellingsOf(text).flatMap((features) => [...features.keys()]))
    for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  return [...uses].flatMap(([name, count]) => (count >= fewestUses ? [name] : [])).toSorted()
}

function rounded(names: readonly string[], weights: Float64Array): LinearModel['weights'] {
  return Object.fromEntries(
    names.flatMap((name, place) => {
      const short = Array.from(
        weights.subarray(place * classes, (place + 1) * classes),
        (weight) => Math.round(weight * 100) / 100,
      )
      return short.some((weight) => Math.abs(weight) >= smallestWeight) ? [[name, short]] : []
    }),
  )
}
