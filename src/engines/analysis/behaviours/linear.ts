/** A linear model: for each class a weight for each named feature. */
export interface LinearModel {
  readonly classes: readonly string[]
  /** Feature to one weight a class, in the order of `classes`. */
  readonly weights: Readonly<Record<string, readonly number[]>>
}

/** Probabilities, in the order of the model's classes. */
export function probabilities(model: LinearModel, features: ReadonlyMap<string, number>): number[] {
  const scores = model.classes.map(() => 0)
  for (const [name, value] of features) {
    const weights = model.weights[name]
    if (weights === undefined) continue
    for (const [at, weight] of weights.entries()) scores[at] = (scores[at] ?? 0) + weight * value
  }
  const highest = Math.max(...scores)
  const raised = scores.map((score) => Math.exp(score - highest))
  const sum = raised.reduce((total, each) => total + each, 0)
  return raised.map((each) => each / sum)
}
