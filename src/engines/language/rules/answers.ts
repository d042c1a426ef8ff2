import type { Sentence, Person, Turn } from './types.ts'
import { contentStems, shareOf } from '../text/words.ts'
import { isUsable, type SessionView } from './session.ts'
import { questionOf, type Question } from './questions.ts'

export type Answer = 'no' | 'yes' | 'hedged' | 'other' | 'declined'

const declined =
  /\b(?:(?:can|could|may) (?:we|i) (?:leave|skip|pass|not)|(?:let's|can we|could we|please|rather|just) leave (?:that|it|this)\b|leave that one|(?:rather|prefer) not (?:to )?(?:say|talk|answer|go|discuss|get into|think about)|(?:don't|do not) want to (?:talk|go|say|answer|get into|discuss|think)|not (?:going|ready) to (?:talk|answer|go)|pass on that|no comment|next question|not today|another (?:time|day))\b/i
const notAnAnswer =
  /^(?:yeah[, ]+no|no[, ]+(?:i know|problem|worries|that's (?:fine|ok|okay|all right|true)|it's (?:fine|ok|okay|all right)|yeah|yes|go (?:on|ahead)|right|exactly|you're right|thanks|thank you)|right)\b/i
const hedge =
  /\b(?:not really|(?:don't|do not) think so|not (?:any ?more|lately|recently|exactly|always|often|much|so much|that much|as (?:much|bad|often)|every|quite|yet|for a while|in a while|this week|usually)|sometimes|a (?:little|bit)\b|maybe|perhaps|i guess|i suppose|kind of|sort of|depends|occasionally|now and (?:then|again)|once in a while|haven't really|hardly|barely|rarely|no,? (?:but|except|only|just|apart|unless|well)|used to|mostly|almost|probably|not sure|(?:don't|do not) know|once or twice)\b/i
const plainNo =
  /^(?:(?:um|uh|oh|god|lord|christ|heavens|well|nah|so|mm)[, ]+)*(?:no\b|nope|nah|not at all|never|none|nothing|nobody|no one|not (?:me|now|that i|once|since|at)\b|i (?:don't|do not|haven't|have not|didn't|did not|wasn't|am not|never|can't|couldn't|won't)\b|i'm not\b|neither|absolutely not|definitely not|of course not|certainly not)/i
const plainYes =
  /^(?:(?:um|uh|oh|well|god)[, ]+)*(?:yes|yeah|yep|yup|uh-huh|i do\b|i did\b|i have\b|i am\b|i was\b|definitely|absolutely|of course|always|every (?:day|night|week|time)|it (?:is|does|did|has)\b|they (?:do|did)\b)/i
const turnsBack =
  /^(?:(?:i mean|well|actually|but|except|apart|only|just|okay|although|though|unless|maybe|sometimes)\b|i (?:have|had|did|do|was|used to|once|sometimes|think about|thought about)\b)/i
const alsoNo =
  /^(?:no\b|not\b|never\b|nothing\b|none\b|nobody\b|i (?:don't|didn't|haven't|wouldn't|couldn't|never|wasn't|am not)\b|i'm not\b|i meant\b|just that\b|just the\b)/i

export function answerOf(sentences: readonly Sentence[]): Answer {
  const first = sentences[0]
  if (!first) return 'other'
  const start = first.clean.trim()
  const whole = sentences
    .slice(0, 3)
    .map((sentence) => sentence.clean)
    .join(' ')
  if (declined.test(whole)) return 'declined'
  if (notAnAnswer.test(start)) return 'other'
  const kind = plainNo.test(start) ? 'no' : plainYes.test(start) ? 'yes' : null
  if (kind === null) return hedge.test(start) ? 'hedged' : 'other'
  if (hedge.test(start)) return 'hedged'
  if (kind === 'no') return takenBack(start, sentences) ? 'hedged' : 'no'
  return hedge.test(sentences[1]?.clean ?? '') || /^yes,? but|^yeah,? but/i.test(start) ? 'hedged' : 'yes'
}

function takenBack(start: string, sentences: readonly Sentence[]): boolean {
  const rest = start.replace(/^(?:(?:um|uh|oh|god|well)[, ]+)*(?:(?:no|nope|never|not at all)[,.! ]*)+/i, '')
  if (rest !== '' && turnsBack.test(rest) && !alsoNo.test(rest)) return true
  const following = sentences.slice(1, 4)
  return following.some((sentence) => {
    const text = sentence.clean
    if (alsoNo.test(text)) return false
    if (hedge.test(text) && !/^no\b/i.test(text)) return true
    return turnsBack.test(text) && !/\b(?:not|never|n't)\b/i.test(text)
  })
}

export const agrees =
  /^(?:(?:um|uh|oh|mm|well|and|but)[, ]+)*(?:yes|yeah|yep|yup|exactly|right\b|that's (?:it|right|fair|true|exactly|what|how|the)|it (?:is|does|did|was)\b|i (?:do|did|am|was|know|have|will|can|could)\b(?=[.,! ]*$|[.,] )|mm-?hmm?|uh-huh|okay|ok\b|all right|alright|sure|true|correct|absolutely|definitely|totally|of course|fine\b|done\b|deal\b|good\b|i'd like that|i'll\b|i will\b|i promise|i can do that|sounds (?:good|right|fair))/i
const objects =
  /^(?:(?:um|uh|oh|mm|well)[, ]+)*(?:no\b|nope|not\b|actually|hmm|i (?:don't|didn't|wouldn't) (?:think|say|know)|more like|it's more|yeah,? no|kind of|sort of|not really|well,? (?:no|not))/i

export interface Agreement {
  readonly state: 'agreed' | 'objected' | 'open'
  readonly person: Person | null
  readonly sentence: Sentence | null
}

const negated = /\b(?:not|no|never|nobody|nothing|without)\b|n't\b/i
const contrary = /^(?:\W*(?:no|nope))+\W*(?:i (?:did|do|am|was|have|will|can)\b|it (?:is|was|did|does)\b|it's|that's not)/i

export function agreementWith(view: SessionView, turn: Turn, sentence: Sentence): Agreement {
  const reply = view.room.turns[turn.index + 1]
  if (!reply || reply.person.role === 'therapist') return { state: 'open', person: null, sentence: null }
  const [first, ...later] = reply.sentences
  const open: Agreement = { state: 'open', person: reply.person, sentence: null }
  const asksAfter = turn.sentences.some((each) => each.isQuestion && each.index > sentence.index && !isTag(each))
  if (!first || asksAfter) return open
  const agreed: Agreement = { ...open, state: 'agreed', sentence: first }
  const objected: Agreement = { ...open, state: 'objected', sentence: first }
  const text = first.clean
  const echo = shareOf(first.stems, sentence.stems)
  if (negated.test(lastClause(sentence.clean)) && /^\W*(?:no|nope|not|never)\b/i.test(text))
    return contrary.test(text) ? objected : agreed
  if (/^(?:and )?i(?:'ll| will)\b/i.test(text) && first.words.length > 4 && echo < 0.3) return open
  if (agrees.test(text) && !/^\W*(?:yeah|yes|okay|right)?,? ?but\b/i.test(text)) return agreed
  if (echo >= 0.6 && first.stems.size > 0) return agreed
  const yes = later.slice(0, 3).find((each) => agrees.test(each.clean) && each.words.length <= 4)
  if (yes && isUsable(view, yes)) return { ...agreed, sentence: yes }
  return objects.test(text) ? objected : open
}

const isTag = (sentence: Sentence): boolean =>
  /^(?:is that (?:okay|right|fair|ok|it)|does that|shall we|okay|would you (?:be|do|try)|how does that|can you|could you|right|yes|agreed|do you think)\b/i.test(
    sentence.clean,
  ) && contentStems(sentence.words).size <= 3

const lastClause = (text: string): string => text.split(/,\s*(?:and |but )?/).at(-1) ?? text

export interface Exchange {
  readonly turn: Turn
  readonly question: Question
  readonly replies: readonly Turn[]
}

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
