import { doubt, drop, likely, ofOthers, tokensOf } from './faults.ts'
import { isDenial } from './claims.ts'
import type { Claim, Scope, Clause, Fault, Room, Tense, Unit } from './types.ts'
import { isRegister } from './lexicon/words.ts'
import { calendar } from './room.ts'
import type { Statement } from '#contract/model/note.ts'
import { riskTopic } from '../rules/lexicon/topics.ts'

const written =
  /\b(?:might|may|maybe|perhaps|possibl\w*|probabl\w*|consider\w*|wonder\w*|think\w*|thought|unsure|not sure|uncertain|nearly|almost|could|hop(?:e|es|ed|ing)|would|tempted|undecided|not decided|likely|about|around|approximately|roughly|seems?|if|wants?|wish\w*|explor\w*|discuss\w*|ambivalen\w*|try|imagin\w*|worr\w*|fear\w*|suggest\w*|offered|mentioned|as if|feels? like|sometimes|unclear|whether|urge|idea|rather|prefer\w*)\b/
const strong =
  /\b(?:might|maybe|perhaps|possibly|considering|wondering|wonder(?:s|ed)? (?:if|about|whether)|thinking (?:about|of)|thought about|not sure|do not know (?:if|yet|whether)|nearly|almost|could(?! not)|tempted|toying|hoping to|will think about)\b/

export const certaintyFaults = (room: Room, claim: Claim, scope: Scope): Fault[] =>
  claim.clauses.flatMap((clause): Fault[] => {
    const heard = claim.asked.has(clause.index) || claim.deeds.has(clause.index) ? [] : matching(clause, scope)
    if (heard.length === 0) return []
    if (written.test(claim.own.toLowerCase()) || clause.tokens.some(({ isNegated }) => isNegated))
      return timeFaults(clause, heard, claim, scope)
    const later = Math.max(
      ...heard.map(({ unit }) => (unit.person.role === 'therapist' ? (unit.reply?.segment ?? unit.segment) : unit.segment)),
    )
    const isTakenUp = scope.cited.some((at) => at > later && room.speakerAt(at).role !== 'therapist')
    if (isTakenUp) return []
    const reason = tooCertain(clause, heard, scope)
    return [...(reason === null ? [] : [doubt(reason)]), ...timeFaults(clause, heard, claim, scope)]
  })

function tooCertain(clause: Clause, heard: readonly Match[], scope: Scope): string | null {
  const isOffer = clause.tokens.some(({ tense }) => tense === 'future')
  const isHalf = heard.some(
    ({ unit, clause: said }) =>
      (unit.person.role === 'therapist' &&
        unit.text.length < 200 &&
        !clause.tokens.some(({ tense }) => tense === 'past') &&
        unit.reply?.kind === 'hedged') ||
      /\b(?:nearly|almost)\b(?! (?:every|all|always|\d))/.test(said.text),
  )
  if (isHalf) return 'the answer was no plain yes'
  const isOfOthers = heard.every(({ unit }) => unit.person.role !== 'therapist')
  if (isOfOthers && heard.every(({ clause: said }) => strong.test(said.text))) return 'said as a possibility, written as certain'
  if (isOffer && isLeftOpen(scope, heard)) return 'left open where it was said, written as certain'
  const isIf =
    isOfOthers &&
    !/\bif\b/.test(clause.text) &&
    heard.every(({ clause: said }) => said.isHypothetical && !(isOffer && !/\bif\b|imagin|pretend/.test(said.text)))
  return isIf ? 'said as an “if”, written as a fact' : null
}

function isOfThen(scope: Scope, unit: Unit, said: Clause): boolean {
  const near = scope.near.filter(({ segment, reply }) => segment === unit.segment || reply?.segment === unit.segment)
  const isPast = unit.clauses.some(({ tokens }) =>
    tokens.some(({ tense, word }) => tense === 'past' || /^(?:had|thought)$/.test(word)),
  )
  const isPresent = /\b(?:now|still|today)\b/.test(said.text)
  if (unit.person.role === 'therapist') return false
  return isPast && !isPresent && near.some(({ clauses }) => clauses.some(({ isRemote }) => isRemote))
}

function isLeftOpen(scope: Scope, heard: readonly Match[]): boolean {
  const places = new Set(heard.map(({ unit }) => (unit.person.role === 'therapist' ? unit.reply?.segment : unit.segment)))
  return scope.units.some(
    ({ segment, person, clauses }) =>
      person.role !== 'therapist' &&
      places.has(segment) &&
      clauses.some(
        ({ text, tokens }) =>
          /\b(?:do not know (?:if|whether)|not sure (?:if|whether|i)|have to think|maybe|not decided)\b/.test(text) &&
          tokens.filter(({ isContent }) => isContent).length === 0,
      ),
  )
}

type Match = ReturnType<typeof matching>[number]

function matching(clause: Clause, scope: Scope) {
  const own = clause.tokens.filter((token) => token.isTelling || /^(?:went|told|gave|came)$/.test(token.word))
  const found = [...scope.units].flatMap((unit) =>
    unit.clauses.map((said) => ({
      unit,
      said,
      pairs: own.flatMap((token) => {
        const same = said.tokens.filter(({ keys }) => keys[0] === token.keys[0])
        const other = same.find(({ tense }) => tense !== null) ?? same[0]
        return other ? [{ own: token, token: other }] : []
      }),
    })),
  )
  const most = Math.max(0, ...found.map(({ pairs }) => pairs.length))
  if (most === 0) return []
  return found
    .filter(({ pairs }) => pairs.length === most)
    .flatMap(({ unit, said, pairs }) => pairs.map((pair) => ({ unit, clause: said, ...pair })))
}

const pastWords =
  /\b(?:used to|previous\w*|former\w*|past|history|historical|ago|as a (?:child|teenager|kid)|when (?:he|she|they) (?:was|were)|in (?:the past|\d{4})|once|until|before|at (?:the )?age|aged|earlier|no longer|stopped|since|last (?:week|month|year|night|time|session|summer|winter|spring|autumn|\w+day)|had|was|were|did|from|cut|reduced|after|any ?more|declined|not|new|unable)\b/

const isDated = (tense: Tense): boolean => tense !== null && tense !== 'present'

function timeFaults(clause: Clause, heard: readonly Match[], claim: Claim, scope: Scope): Fault[] {
  const own = claim.own.toLowerCase()
  const isOfNow =
    clause.tokens.some(
      ({ tense, word }) => tense === 'present' || /^(?:is|are|has|have|currently|now)$/.test(word) || word.endsWith('ing'),
    ) && !clause.tokens.some(({ tense }) => tense === 'future')
  if (
    isOfNow &&
    heard.every(({ clause: said, unit }) => said.isRemote || isOfThen(scope, unit, said)) &&
    !pastWords.test(own) &&
    !(/\bnow\b/.test(own) && scope.units.some(({ text }) => /\bnow\b/i.test(text))) &&
    !clause.tokens.some(({ tense }) => tense === 'past')
  )
    return [likely('said of the past, written of today')]
  if (
    /\bused to\b/.test(clause.text) &&
    !scope.units.some(({ text }) => /\bused to\b/i.test(text)) &&
    heard.every(({ clause: said }) => !said.isRemote && said.tokens.every(({ tense }) => tense !== 'past'))
  )
    return [drop('said of today, written of the past')]
  const days = clause.tokens.filter(({ word }) => calendar.test(word))
  const isPastDay = days.some((day) => {
    const said = scope.units.flatMap(({ clauses }) =>
      clauses.filter(({ tokens }) => tokens.some(({ keys }) => keys[0] === day.keys[0])),
    )
    return said.length > 0 && said.every(({ text }) => /\bused to\b/.test(text))
  })
  if (isOfNow && isPastDay && !pastWords.test(own)) return [likely('said of the past, written of today')]
  const verbs = heard.filter(({ own: { tense }, token }) => isDated(tense) && isDated(token.tense))
  const isTurned = (said: Tense, put: Tense): boolean =>
    verbs.length > 0 && verbs.every((each) => each.own.tense === put && each.token.tense === said)
  if (isTurned('past', 'future')) return [doubt('said as done, written as planned')]
  if (isTurned('future', 'past') && verbs.every((each) => !each.own.isNegated)) return [doubt('said as planned, written as done')]
  return []
}

export function denialFaults(claim: Claim, scope: Scope, finding: Statement['finding']): Fault[] {
  const denials = claim.clauses.filter(isDenial)
  const isDenied = finding?.state === 'denied'
  if (denials.length === 0 && !isDenied) return []
  if (denials.length === 0) return plainNos(scope).length > 0 || saysNo(scope) ? [] : [notAsked]
  return denials.flatMap((clause) => denialFault(clause, scope) ?? [])
}

const notAsked: Fault = drop('nobody asked, so nothing was denied')

const plainNos = (scope: Scope) =>
  scope.near.flatMap((question) =>
    question.isQuestion && question.reply?.kind === 'no' && !isNegative(question.text)
      ? [{ question, by: question.reply.by }]
      : [],
  )

/** "You're not thinking of it?": a "no" to a negative question is ambiguous. */
const isNegative = (text: string): boolean =>
  /^(?:(?:so|and|but),? )?(?:you|that|it|there)\b[^?]*\b(?:not|n't|never|no)\b/i.test(text)

function denialFault(clause: Clause, scope: Scope): Fault | null {
  const at = clause.tokens.findIndex(({ word }) => word.startsWith('den'))
  const denier = clause.tokens[at]?.doers ?? []
  const object = clause.tokens.slice(at + 1).filter(({ word, isTelling }) => isTelling && !isRegister(word))
  const nos = plainNos(scope).filter(({ by }) => by.role !== 'therapist')
  const fitting = nos.filter(({ question }) => {
    const shared = object.filter(({ keys }) => keys.some((key) => question.keys.has(key))).length
    const [risk, asked] = [riskOf(clause.text), riskOf(question.text)]
    if (risk !== null && asked !== null && (risk === 'harm to others') !== (asked === 'harm to others')) return false
    return object.length === 0 || shared / object.length >= 0.5 || (risk !== null && risk === asked)
  })
  const own = fitting.filter(({ by }) => denier.length === 0 || denier.includes(by.id) || denier.includes('*'))
  if (own.length > 0) return null
  if (fitting.length > 0) return drop('somebody else answered the question')
  const asked = scope.near.find((unit) => unit.isQuestion && object.some(({ keys }) => keys.some((key) => unit.keys.has(key))))
  if (asked?.reply?.kind === 'hedged') return drop('the answer was no plain no')
  if (saysNo(scope) && object.some(({ keys }) => keys.some((key) => negatedKeys(scope).has(key))))
    return doubt('said without being asked: no denial')
  if (asked !== undefined && asked.reply !== null) return drop('the answer was no plain no')
  return notAsked
}

/** Some risk patterns match "yourself" but not "herself", "himself", or "themselves", so "yourself" replaces these words. */
const riskOf = (text: string): string | null => riskTopic(text.replaceAll(/\b(?:her|him|them)sel(?:f|ves)\b/g, 'yourself'))

const negatedKeys = ({ units }: Scope): Set<string> =>
  new Set(units.flatMap(tokensOf).flatMap(({ isNegated, keys }) => (isNegated ? keys : [])))

const saysNo = ({ units }: Scope): boolean =>
  ofOthers(units)
    .flatMap(tokensOf)
    .some(({ isNegated }) => isNegated)

export function statedFaults(scope: Scope, finding: Statement['finding']): Fault[] {
  if (finding?.state !== 'stated') return []
  const spoken = scope.units.filter(({ person }) => person.role !== 'therapist')
  if (spoken.length === 0) {
    const isYes = scope.near.some(({ reply }) => reply?.kind === 'yes')
    return isYes ? [] : [drop('only the therapist said so')]
  }
  const isOnlyNo = scope.cited.every((at) =>
    spoken.every((unit) => unit.segment !== at || /^(?:no|nope|nah|never)[.!,\s]*$/i.test(unit.text)),
  )
  return isOnlyNo ? [drop('the answer was a no')] : []
}
