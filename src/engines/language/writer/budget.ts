import { AppError } from '#contract/errors.ts'
import { tokensOf } from './tokens.ts'

/** Large windows are not filled: attention to the middle of a long text is poor, and a slow laptop reads it for minutes. */
const mostRead = 24_000
const mostAnswer = 6_000
const fewestRead = 300
/** What chat templates and the markers of messages take. */
const reserve = 120

export interface Budget {
  /** Of the session, in one part. */
  readonly read: number
  readonly answer: number
}

/** @throws AppError `engine-not-ready` where hardly anything could be read at once */
export function budgetOf(context: number, instructions: string): Budget {
  const answer = Math.max(300, Math.min(mostAnswer, Math.floor(context * 0.3)))
  const read = Math.min(mostRead, context - answer - tokensOf(instructions) - reserve)
  if (read < fewestRead)
    throw new AppError(
      'engine-not-ready',
      'The model can read too little at once. Start it with a larger context, 8,192 tokens for example, and say so in Settings.',
    )
  return { read, answer }
}
