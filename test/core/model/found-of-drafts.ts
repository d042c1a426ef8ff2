import type { Found } from './found.ts'

export const foundOfDrafts: readonly Found[] = [
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
  {
    promise: 'a draft that waited for words goes when nobody sends them any more',
    laptops: 3,
    steps: [
      { do: 'client', on: 4, which: 27, what: 11, tag: 13, rests: false },
      { do: 'session', on: 1, which: 24, what: 45, tag: 40, rests: true },
      { do: 'transcript.type', on: 1, which: 23, what: 1, tag: 50, rests: false },
      { do: 'consent', on: 4, which: 4, what: 41, tag: 77, rests: false },
      { do: 'weather', on: 4, which: 28, what: 5, tag: 84, rests: false, weather: ['captive_portal', 'broken', 'slow'] },
      { do: 'transcript.edit', on: 1, which: 19, what: 24, tag: 85, rests: false },
      { do: 'draft', on: 4, which: 46, what: 13, tag: 99, rests: false },
      { do: 'erase.words', on: 0, which: 51, what: 45, tag: 103, rests: false },
    ],
  },
  {
    promise: 'a draft whose answer was lost is written once, also where its laptop lay still for longer than a key is known',
    laptops: 2,
    steps: [
      { do: 'client', on: 1, which: 11, what: 25, tag: 43, rests: true },
      { do: 'session', on: 3, which: 14, what: 59, tag: 66, rests: true },
      { do: 'weather', on: 5, which: 53, what: 12, tag: 92, rests: true, weather: ['death_after'] },
      { do: 'draft', on: 1, which: 22, what: 15, tag: 101, rests: true },
      { do: 'pass.year', on: 0, which: 0, what: 40, tag: 113, rests: true },
    ],
  },
  {
    promise: 'a draft whose answer was lost is written once, also where words were brought in since',
    laptops: 3,
    steps: [
      { do: 'client', on: 4, which: 35, what: 17, tag: 2, rests: false },
      { do: 'pass.moments', on: 2, which: 56, what: 44, tag: 11, rests: false },
      { do: 'session', on: 0, which: 59, what: 6, tag: 20, rests: true },
      { do: 'weather', on: 0, which: 48, what: 12, tag: 21, rests: true, weather: ['gateway', 'broken', 'gateway', 'broken'] },
      { do: 'consent', on: 5, which: 46, what: 12, tag: 24, rests: false },
      { do: 'draft', on: 0, which: 17, what: 17, tag: 31, rests: true },
      { do: 'transcript.import', on: 3, which: 44, what: 7, tag: 32, rests: false },
    ],
  },
]
