import { agrees, objects } from './answers.ts'
import { contentStems, shareOf } from './tokens.ts'
import { isUsable } from './session.ts'
import type { SessionView } from './session.ts'
import type { Person, Sentence, Turn } from './types.ts'

export interface Agreement {
  readonly state: 'agreed' | 'objected' | 'open'
  readonly person: Person | null
  readonly sentence: Sentence | null
}

const negated = /\b(?:not|no|never|nobody|nothing|without)\b|n't\b/i
const contrary = /^(?:\W*(?:no|nope))+\W*(?:i (?:did|do|am|was|have|will|can)\b|it (?:is|was|did|does)\b|it's|that's not)/i

/** Whether the next turn goes along with what the therapist said back in `sentence`. */
export function agreementWith(view: SessionView, turn: Turn, sentence: Sentence): Agreement {
  const reply = view.room.turns[turn.index + 1]
  const open: Agreement = { state: 'open', person: reply?.person ?? null, sentence: null }
  if (!reply || reply.person.role === 'therapist') return { ...open, person: null }
  const first = reply.sentences[0]
  if (!first) return open
  const asksAfter = turn.sentences.some((each) => each.isQuestion && each.index > sentence.index && !isTag(each))
  if (asksAfter) return open
  const echo = shareOf(first.stems, sentence.stems) >= 0.6 && first.stems.size > 0
  if (negated.test(lastClause(sentence.clean)) && /^\W*(?:no|nope|not|never)\b/i.test(first.clean)) {
    return contrary.test(first.clean)
      ? { state: 'objected', person: reply.person, sentence: first }
      : { state: 'agreed', person: reply.person, sentence: first }
  }
  const laterYes = reply.sentences.slice(1, 4).find((each) => agrees.test(each.clean) && each.words.length <= 4)
  const turnsElsewhere =
    /^(?:and )?i(?:'ll| will)\b/i.test(first.clean) && first.words.length > 4 && shareOf(first.stems, sentence.stems) < 0.3
  if (turnsElsewhere) return open
  if (agrees.test(first.clean) && !/^\W*(?:yeah|yes|okay|right)?,? ?but\b/i.test(first.clean))
    return { state: 'agreed', person: reply.person, sentence: first }
  if (echo) return { state: 'agreed', person: reply.person, sentence: first }
  if (laterYes && isUsable(view, laterYes)) return { state: 'agreed', person: reply.person, sentence: laterYes }
  return objects.test(first.clean) ? { state: 'objected', person: reply.person, sentence: first } : open
}

function isTag(sentence: Sentence): boolean {
  return (
    /^(?:is that (?:okay|right|fair|ok|it)|does that|shall we|okay|would you (?:be|do|try)|how does that|can you|could you|right|yes|agreed|do you think)\b/i.test(
      sentence.clean,
    ) && contentStems(sentence.words).size <= 3
  )
}

function lastClause(text: string): string {
  return text.split(/,\s*(?:and |but )?/).at(-1) ?? text
}
