import { doubt, drop, likely, keysIn, ofOthers, textOf, tokensOf } from './faults.ts'
import type { Claim, Scope, Clause, Fault, Room, Token, Unit } from './types.ts'
import { isNumberWord } from '../text/numbers.ts'

const yesNo =
  /^(?:(?:so|and|but|ok|okay|right|well|um+|periods),? )*(?:\w+,? )?(?:do|did|does|are|is|was|were|have|has|had|can|could|will|would|any|ever)\b/i

const broughtUp = /\b(?:last (?:time|week|month|session)|you (?:mentioned|told me|said)|earlier you)\b/i

const limited =
  /\b(?:sometimes|occasionally|not always|past|previous\w*|used to|former\w*|history|last (?:year|winter|summer|spring|autumn)|a (?:bit|little)|partly|somewhat|unsure|may|might)\b/i

export function openFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const questions = scope.near.filter(
    (unit) =>
      unit.isQuestion &&
      unit.text.length <= 220 &&
      (yesNo.test(unit.text) || broughtUp.test(unit.text)) &&
      !/^(?:\w+ )?(?:how|what|when|where|who|why|which)\b/i.test(unit.text) &&
      unit.reply !== null,
  )
  if (questions.length === 0 || limited.test(claim.own)) return []
  for (const clause of claim.clauses) {
    if (
      claim.asked.has(clause.index) ||
      claim.deeds.has(clause.index) ||
      claim.denied.has(clause.index) ||
      clause.tokens.some((token) => token.isNegated && token.isContent && !isNegatedIn(questions, token)) ||
      (/\b(?:not|never|no)\b/.test(clause.text) && questions.every(({ replyText }) => /^no\b/i.test(replyText ?? '')))
    )
      continue
    const own = clause.tokens.filter((token) => token.isTelling && !room.isNamed(token.word))
    if (own.length === 0 || clause.tokens.some(({ word }) => /\d/.test(word) || isNumberWord(word))) continue
    const other = keysIn(scope.near.filter((unit) => !questions.includes(unit)))
    const isOnlyAsked = own.every(
      (token) =>
        !token.keys.some((key) => other.has(key)) && questions.some((unit) => token.keys.some((key) => unit.keys.has(key))),
    )
    const fromQuestion = own.filter(
      (token) =>
        questions.some((unit) => unit.reply?.kind === 'hedged' && unit.keys.has(token.keys[0] ?? '')) &&
        !other.has(token.keys[0] ?? ''),
    )
    const isOfThen = clause.tokens.some(({ tense }) => tense === 'past') && !/\b(?:is|are|currently|now)\b/.test(clause.text)
    if (!isOfThen && own.length >= 3 && fromQuestion.length / own.length >= 0.6) return [doubt('the answer was no plain yes')]
    if (isAllRefused(own, clause, questions, scope)) return [doubt('it was asked, and the answer was no')]
    if (isOnlyAsked && questions.every(({ reply }) => reply?.kind !== 'yes'))
      return [doubt('it was asked, and the answer was no plain yes')]
  }
  return []
}

function isAllRefused(own: readonly Token[], clause: Clause, questions: readonly Unit[], scope: Scope): boolean {
  if (clause.tokens.some(({ isNegated }) => isNegated) || !questions.every(isRefused)) return false
  if (!clause.tokens.some(({ keys: each }) => each.some((key) => questions.some((unit) => unit.keys.has(key))))) return false
  const said = ofOthers(scope.units).filter(({ isQuestion }) => !isQuestion)
  const told = new Set(said.flatMap(tokensOf).flatMap(({ isNegated, keys: each }) => (isNegated ? [] : each)))
  return own.every(({ keys: each }) => !each.some((key) => told.has(key)))
}

const isRefused = ({ reply, replyText }: Unit): boolean => reply?.kind === 'no' || /^not yet\b/i.test(replyText ?? '')

const isNegatedIn = (questions: readonly Unit[], { keys: [first] }: Token): boolean =>
  questions.flatMap(tokensOf).some(({ isNegated, keys: [key] }) => isNegated && key === first)

const habits: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:every|each) (?:single )?(?:day|morning|night|evening|week|weekend|\w+day)\b|\b(?:daily|nightly)\b/i,
    /\b(?:every|each|daily|nightly|all the time|always|a (?:day|night)|in the (?:mornings?|evenings?|afternoons?)|at night|(?:most|all) (?:days|nights))\b/i,
  ],
  [/\bmost (?:days|nights|mornings|evenings|weeks)\b/i, /\bmost(?:ly)?\b|\busually\b|\bnearly every\b|\balmost every\b/i],
  [
    /\b(?:several|many|multiple|numerous|repeated) times\b|\brepeatedly\b|\bfrequently\b/i,
    /\b(?:several|many|multiple|times|lots|often|again and again|keep|keeps|always|all the time|every)\b/i,
  ],
  [
    /\b(?:once|twice|\d+ times|(?:three|four|five|six|seven) times) (?:a|per|each|every) (?:day|week|month|year|night)\b|\bweekly\b|\bmonthly\b/i,
    /\b(?:a|per|each|every|weekly|monthly|daily|in the|this|coming|next) ?(?:day|week|month|year|night|fortnight)?\b/i,
  ],
]

const whole =
  /\b(?:all (?:of )?(?:the )?(?:\w+ )?(?:days|times|nights|weeks|of them)|all (?:two|three|four|five|six|seven|eight|nine|ten|\d+)|every (?:day|night|time|one)|both|each of)\b/i

const notAll =
  /\b(?:\w+ )?(?:days?|nights?|times?|weeks?)? ?out of \w+|\bnot (?:the )?(?:second|first|other|last|all|every|both)(?: one)?\b/i

/** The client said "Last year. Not now.", but the statement says "currently". */
const isOver = (claim: Claim, scope: Scope): boolean =>
  ofToday.test(claim.own) &&
  !claim.clauses.some(({ index }) => claim.denied.has(index)) &&
  !/\b(?:does|do|did|is|are|has|have|was|were) (?:not|no)\b/i.test(claim.own) &&
  !/\b(?:none|past|previous\w*|last|used to|ago|had|was|were|no longer)\b/i.test(claim.own) &&
  notNow.test(textOf(ofOthers(scope.units).filter(({ isQuestion }) => !isQuestion)))

const ofToday = /\b(?:at present|at the moment|currently|now|nowadays|these days|still)\b|\b(?:is|are) (?:having|experiencing)\b/i
const notNow = /(?:^|[.,;] )not (?:now|any ?more|lately|recently|at the moment|since)\b|\b(?:no longer|not any ?more)\b/i

export function frequencyFaults(claim: Claim, scope: Scope): Fault[] {
  const near = textOf(scope.near)
  const told = textOf(ofOthers(scope.units))
  const isEvery = /\b(?:every|each) (?!other)\w+/i.test(claim.own) && !/\b(?:every|each) (?!other|second)\w+/i.test(told)
  if (isEvery && /\bevery (?:other|second)\b/i.test(near)) return [doubt('every other one was said')]
  if (habits.some(([written, said]) => written.test(claim.own) && !said.test(near))) return [doubt('how often was not said so')]
  if (isOver(claim, scope)) return [likely('said to be over, written of today')]
  const part = notAll.exec(near)?.[0]
  if (part !== undefined && whole.test(claim.own) && !/\b(?:all|every|both|each|whole)\b/i.test(told))
    return [doubt(`“${part}” was said, not all`)]
  const recent = /\b(?:this|last) (?:week|month|night)\b|\byesterday\b|\brecently\b/i.exec(claim.own)?.[0]
  if (recent === undefined || new RegExp(recent.split(' ').at(-1) ?? '', 'i').test(near)) return []
  const isRemote = scope.units.every(({ isQuestion, clauses }) => isQuestion || clauses.some((clause) => clause.isRemote))
  return isRemote || otherTime.test(near) ? [drop('said of long ago, written of these days')] : []
}

const otherTime =
  /\b(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|not (?:recently|lately|now|any ?more)|last (?:spring|summer|autumn|winter|year)|ago)\b/i

const intent =
  /\b(?:intends?|intent|intention|plans?|planning|decided|wants?|threatened|going) (?:to |on )?(?:\w+ ){0,2}?(?:end|ending|kill|killing|die|dying|hurt|harm|suicide)\b|\bintent\b/i

export function intentFaults(claim: Claim, scope: Scope): Fault[] {
  if (
    !intent.test(claim.own) ||
    claim.clauses.some(
      (clause) =>
        claim.denied.has(clause.index) || claim.asked.has(clause.index) || clause.tokens.some(({ isNegated }) => isNegated),
    )
  )
    return []
  const said = scope.units.some(
    (unit) =>
      !unit.isQuestion &&
      unit.clauses.some(
        (clause) =>
          /\b(?:intend|plan|want|decided|going|will|kill|die)\b/.test(clause.text) &&
          !clause.tokens.some(({ isNegated }) => isNegated) &&
          !clause.isHypothetical,
      ),
  )
  return said ? [] : [drop('nobody said that this is meant to be done')]
}
