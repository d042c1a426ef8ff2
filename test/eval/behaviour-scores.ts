import type { Act } from '#engines/analysis/behaviours/act.ts'
import { acts } from '#engines/analysis/behaviours/act.ts'

export interface ClassScore {
  readonly act: Act
  /** Utterances that truly are of this class. */
  readonly count: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export interface Scores {
  readonly classes: readonly ClassScore[]
  /** Mean F1 over the classes the file has. */
  readonly macro_f1: number
}

export function scoresOf(pairs: readonly { readonly is: Act; readonly said: Act }[]): Scores {
  const classes = acts.map((act): ClassScore => {
    const count = pairs.filter(({ is }) => is === act).length
    const said = pairs.filter((pair) => pair.said === act).length
    const right = pairs.filter(({ is, said: each }) => is === act && each === act).length
    const precision = said === 0 ? 0 : right / said
    const recall = count === 0 ? 0 : right / count
    return { act, count, precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
  })
  const present = classes.filter(({ count }) => count > 0)
  return { classes, macro_f1: present.reduce((sum, { f1 }) => sum + f1, 0) / Math.max(1, present.length) }
}
