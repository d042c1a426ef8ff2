import type { LaptopCount } from './play.ts'
import type { Step } from './steps.ts'

/** What the model found, with the fewest steps that showed it. */
export const found: readonly { readonly promise: string; readonly laptops: LaptopCount; readonly steps: readonly Step[] }[] = [
  {
    promise: 'a draft whose answer was lost is written once, also where its session was changed since',
    laptops: 1,
    steps: [
      { do: 'client', on: 1, which: 25, what: 45, tag: 92, rests: false },
      { do: 'session', on: 4, which: 36, what: 12, tag: 94, rests: true },
      { do: 'weather', on: 0, which: 57, what: 34, tag: 101, rests: true, weather: ['answer_lost', 'answer_lost'] },
      { do: 'draft', on: 4, which: 19, what: 41, tag: 103, rests: true },
      { do: 'session.edit', on: 0, which: 40, what: 4, tag: 106, rests: false },
    ],
  },
]
