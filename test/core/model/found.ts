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
  {
    promise: 'signed on two laptops, a note bears the first signature on both',
    laptops: 2,
    steps: [
      { do: 'client', on: 0, which: 0, what: 0, tag: 1, rests: true },
      { do: 'session', on: 0, which: 0, what: 0, tag: 2, rests: true },
      { do: 'draft', on: 0, which: 0, what: 0, tag: 3, rests: true },
      { do: 'pass.moments', on: 0, which: 0, what: 4, tag: 4, rests: true },
      { do: 'note.edit', on: 0, which: 0, what: 0, tag: 5, rests: true },
      { do: 'pass.moments', on: 0, which: 0, what: 4, tag: 6, rests: true },
      { do: 'offline', on: 1, which: 0, what: 0, tag: 7, rests: true },
      { do: 'sign', on: 0, which: 0, what: 0, tag: 8, rests: true },
      { do: 'sign', on: 1, which: 0, what: 0, tag: 9, rests: true },
      { do: 'online', on: 1, which: 0, what: 0, tag: 10, rests: true },
    ],
  },
  {
    promise: 'two transcripts of one session, typed on two laptops, are both kept until somebody chooses',
    laptops: 2,
    steps: [
      { do: 'client', on: 0, which: 0, what: 0, tag: 1, rests: true },
      { do: 'session', on: 0, which: 0, what: 0, tag: 2, rests: true },
      { do: 'pass.moments', on: 0, which: 0, what: 4, tag: 4, rests: true },
      { do: 'offline', on: 1, which: 0, what: 0, tag: 7, rests: true },
      { do: 'transcript.type', on: 0, which: 0, what: 0, tag: 8, rests: true },
      { do: 'transcript.type', on: 1, which: 0, what: 0, tag: 9, rests: true },
      { do: 'online', on: 1, which: 0, what: 0, tag: 10, rests: true },
    ],
  },
  {
    promise: 'revoked on two laptops, a consent ended at the same moment on both',
    laptops: 2,
    steps: [
      { do: 'client', on: 0, which: 0, what: 0, tag: 1, rests: true },
      { do: 'consent', on: 0, which: 0, what: 0, tag: 2, rests: true },
      { do: 'pass.moments', on: 0, which: 0, what: 4, tag: 3, rests: true },
      { do: 'offline', on: 1, which: 0, what: 0, tag: 4, rests: true },
      { do: 'revoke', on: 0, which: 0, what: 0, tag: 5, rests: true },
      { do: 'revoke', on: 1, which: 0, what: 0, tag: 6, rests: true },
      { do: 'online', on: 1, which: 0, what: 0, tag: 7, rests: true },
    ],
  },
  {
    promise: 'a gateway’s page in place of the service document takes nothing from what the service told before',
    laptops: 1,
    steps: [
      { do: 'lock', on: 0, which: 0, what: 0, tag: 1, rests: true },
      { do: 'weather', on: 0, which: 0, what: 0, tag: 2, rests: true, weather: ['gateway'] },
      { do: 'unlock', on: 0, which: 0, what: 0, tag: 3, rests: true },
      { do: 'client', on: 0, which: 0, what: 0, tag: 4, rests: true },
    ],
  },
  {
    promise: 'a transcript that arrived without an answer is still asked about where another takes its place',
    laptops: 3,
    steps: [
      { do: 'client', on: 5, which: 27, what: 38, tag: 5, rests: false },
      { do: 'session.clash', on: 2, which: 47, what: 52, tag: 11, rests: false },
      { do: 'pass.moments', on: 2, which: 24, what: 49, tag: 23, rests: false },
      { do: 'transcript.type', on: 2, which: 52, what: 35, tag: 29, rests: false, dies: 8 },
      { do: 'transcript.type', on: 3, which: 20, what: 16, tag: 56, rests: true },
      { do: 'pass.moments', on: 0, which: 5, what: 13, tag: 57, rests: false },
    ],
  },
  {
    promise:
      'what was written in a note that was signed meanwhile can be read until somebody has seen it, also after an addendum',
    laptops: 2,
    steps: [
      { do: 'client', on: 1, which: 42, what: 3, tag: 2, rests: false },
      { do: 'pass.moments', on: 0, which: 17, what: 56, tag: 5, rests: true },
      { do: 'session.clash', on: 2, which: 27, what: 42, tag: 8, rests: false },
      { do: 'draft', on: 2, which: 3, what: 37, tag: 12, rests: true },
      { do: 'pass.moments', on: 1, which: 34, what: 18, tag: 27, rests: true },
      { do: 'sign', on: 3, which: 6, what: 9, tag: 29, rests: false },
      { do: 'note.edit', on: 2, which: 35, what: 29, tag: 111, rests: false },
      { do: 'pass.moments', on: 3, which: 36, what: 47, tag: 113, rests: false },
      { do: 'addendum', on: 2, which: 52, what: 3, tag: 114, rests: false },
      { do: 'pass.moments', on: 5, which: 30, what: 50, tag: 115, rests: false },
    ],
  },
  {
    promise: 'what waits for somebody to decide is not sent over the other side by trying again',
    laptops: 2,
    steps: [
      { do: 'client', on: 0, which: 0, what: 0, tag: 1, rests: true },
      { do: 'pass.moments', on: 0, which: 0, what: 4, tag: 2, rests: true },
      { do: 'client.edit', on: 0, which: 0, what: 4, tag: 3, rests: false },
      { do: 'client.edit', on: 1, which: 0, what: 4, tag: 4, rests: true },
      { do: 'pass.moments', on: 1, which: 0, what: 4, tag: 5, rests: true },
      { do: 'retry', on: 1, which: 0, what: 0, tag: 6, rests: true },
      { do: 'retry', on: 0, which: 0, what: 0, tag: 7, rests: true },
      { do: 'pass.moments', on: 0, which: 0, what: 4, tag: 8, rests: true },
    ],
  },
  {
    promise: 'words whose answer was lost are not replaced by another laptop’s without a question',
    laptops: 3,
    steps: [
      { do: 'client', on: 5, which: 27, what: 38, tag: 5, rests: false },
      { do: 'session.clash', on: 2, which: 47, what: 52, tag: 11, rests: false },
      { do: 'pass.moments', on: 2, which: 24, what: 49, tag: 23, rests: false },
      { do: 'transcript.type', on: 2, which: 52, what: 35, tag: 29, rests: false, dies: 8 },
      { do: 'transcript.type', on: 3, which: 20, what: 16, tag: 56, rests: true },
      { do: 'pass.moments', on: 0, which: 5, what: 13, tag: 57, rests: false },
    ],
  },
]
