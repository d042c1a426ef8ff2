import methods from './interventions.json' with { type: 'json' }

export const interventionKinds = Object.values(methods).map((method) => ({ ...method, pattern: new RegExp(method.pattern, 'i') }))

export const actOf = (name: string): string =>
  interventionKinds.find((kind) => kind.name === name)?.act ?? 'reflected and summed up what was said'
