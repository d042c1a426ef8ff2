import { questionOf } from './questions.ts'
import type { Question } from './questions.ts'
import type { SessionView } from './session.ts'
import type { Turn } from './types.ts'

export interface Exchange {
  readonly turn: Turn
  readonly question: Question
  readonly replies: readonly Turn[]
}

/** Each question with the turns that answer it: one, or several where several clients answer. */
export function exchangesOf(view: SessionView): Exchange[] {
  const { turns, opening, closing } = view.room
  return turns.slice(opening, closing + 1).flatMap((turn) => {
    if (turn.person.role !== 'therapist') return []
    const question = questionOf(turn)
    const replies: Turn[] = []
    for (let at = turn.index + 1; at < turns.length && at <= turn.index + 2; at += 1) {
      const reply = turns[at]
      if (!reply || reply.person.role === 'therapist') break
      if (reply.sentences.length > 0 && !replies.some((each) => each.person === reply.person)) replies.push(reply)
    }
    return question && replies.length > 0 ? [{ turn, question, replies }] : []
  })
}
