import { type Fault, faults } from './faulty-network.ts'
import type { Random } from './random.ts'

/** How often each is done, among all. What its seeds play does not change any more: what is added goes into the next. */
const first = {
  client: 5,
  'client.edit': 12,
  session: 6,
  'session.edit': 8,
  'session.move': 3,
  'session.cancel': 1,
  'session.clash': 2,
  consent: 4,
  revoke: 2,
  'transcript.type': 4,
  'transcript.import': 2,
  'transcript.edit': 6,
  draft: 5,
  'note.edit': 8,
  sign: 3,
  addendum: 2,
  template: 2,
  'template.edit': 2,
  resolve: 4,
  retry: 1,
  lock: 1,
  unlock: 3,
  offline: 3,
  online: 4,
  weather: 8,
  'pass.moments': 8,
  'pass.days': 1,
  'clock.jump': 2,
  die: 2,
  'service.restart': 1,
} as const

/** With what is erased, at the service or here. */
const whole = {
  ...first,
  resolve: 8,
  'erase.words': 4,
  'erase.note': 2,
  rule: 1,
  sweep: 2,
  hold: 1,
  'hold.release': 2,
  'template.remove': 1,
  'pass.year': 1,
  record: 3,
  'record.erase': 1,
} as const

const mixes = { first, whole }
export type Mix = keyof typeof mixes
export type Doing = keyof typeof whole

/** Plain data: what is left of many after shrinking is kept as it is. Whom and what it meets is found when it is done. */
export interface Step {
  readonly do: Doing
  /** Which laptop, among all; which record, among those that stand there; which of its fields. */
  readonly on: number
  readonly which: number
  readonly what: number
  /** Its own, so that what it writes is found again. */
  readonly tag: number
  /** Whether all comes to rest before the next step. */
  readonly rests: boolean
  /** After so many turns of what it does, the laptop dies. */
  readonly dies?: number
  readonly weather?: readonly Fault[]
}

export function someSteps(random: Random, count: number, mix: Mix = 'first'): Step[] {
  const weights: Partial<Record<Doing, number>> = mixes[mix]
  return Array.from({ length: count }, (_, index) => someStep(random, index + 1, weights))
}

function someStep(random: Random, tag: number, weights: Partial<Record<Doing, number>>): Step {
  const doing = someDoing(random, weights)
  const [on, which, what] = [random.below(6), random.below(60), random.below(60)]
  const step = { do: doing, on, which, what, tag, rests: random.chance(0.5) }
  if (doing === 'weather') return { ...step, weather: Array.from({ length: 1 + random.below(5) }, () => random.pick(faults)) }
  return random.chance(0.02) ? { ...step, dies: random.below(12) } : step
}

function someDoing(random: Random, weights: Partial<Record<Doing, number>>): Doing {
  const all = Object.entries(weights) as [Doing, number][]
  let left = random.next() * all.reduce((sum, [, weight]) => sum + weight, 0)
  return all.find(([, weight]) => (left -= weight) < 0)![0]
}
