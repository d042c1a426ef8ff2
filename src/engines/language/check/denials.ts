import type { Statement } from '#contract/model/note.ts'
import { isDenial } from './claims.ts'
import type { Claim, Scope } from './claims.ts'
import { riskTopic } from '../rules/lexicon/risk.ts'
import { isFrame } from './lexicon/frame.ts'
import { isRegister } from './lexicon/register.ts'
import type { Clause, Fault, Participant, Room, Unit } from './types.ts'

/** "Denies" needs a question that was asked, and a plain no to it from the person who is said to deny. */
export function denialFaults(room: Room, claim: Claim, scope: Scope, finding: Statement['finding']): Fault[] {
  const denials = claim.clauses.filter(isDenial)
  const isDenied = finding?.state === 'denied'
  if (denials.length === 0 && !isDenied) return []
  if (denials.length === 0) return plainNos(scope).length > 0 || saysNo(scope) ? [] : [notAsked]
  return denials.flatMap((clause) => denialFault(room, clause, claim, scope) ?? [])
}

const notAsked: Fault = { level: 'drop', reason: 'nobody asked, so nothing was denied' }

interface Answered {
  readonly question: Unit
  readonly by: Participant
}

function plainNos(scope: Scope): Answered[] {
  return [...scope.units, ...scope.beside].flatMap((question) =>
    question.isQuestion && question.reply?.kind === 'no' && !isNegative(question.text)
      ? [{ question, by: question.reply.by }]
      : [],
  )
}

/** "You're not thinking of it?": a no to that can be read both ways. */
function isNegative(text: string): boolean {
  return /^(?:(?:so|and|but),? )?(?:you|that|it|there)\b[^?]*\b(?:not|n't|never|no)\b/i.test(text)
}

function denialFault(room: Room, clause: Clause, claim: Claim, scope: Scope): Fault | null {
  const at = clause.tokens.findIndex(({ word }) => word.startsWith('den'))
  const denier = clause.tokens[at]?.doers ?? []
  const object = clause.tokens.slice(at + 1).filter(({ word, isContent }) => isContent && !isFrame(word) && !isRegister(word))
  const nos = plainNos(scope).filter(({ by }) => by.role !== 'therapist')
  const fitting = nos.filter(({ question }) => {
    const shared = object.filter(({ keys }) => keys.some((key) => question.keys.has(key))).length
    const risks = [riskOf(clause.text), riskOf(question.text)]
    const isOfOthers = (risk: string | null | undefined): boolean => risk === 'harm to others'
    if (risks.every((risk) => risk !== null) && isOfOthers(risks[0]) !== isOfOthers(risks[1])) return false
    return object.length === 0 || shared / object.length >= 0.5 || (risks[0] !== null && risks[0] === risks[1])
  })
  const own = fitting.filter(({ by }) => denier.length === 0 || denier.includes(by.id) || denier.includes('*'))
  if (own.length > 0 && !isTwoButOne(room, claim, own)) return null
  if (own.length > 0) return { level: 'doubt', reason: 'not everybody named answered the question with a no' }
  if (fitting.length > 0) return { level: 'drop', reason: 'somebody else answered the question' }
  const asked = [...scope.units, ...scope.beside].find(
    (unit) => unit.isQuestion && object.some(({ keys }) => keys.some((key) => unit.keys.has(key))),
  )
  if (asked?.reply?.kind === 'hedged') return { level: 'drop', reason: 'the answer was no plain no' }
  if (saysNo(scope) && object.some(({ keys }) => keys.some((key) => negatedKeys(scope).has(key))))
    return { level: 'doubt', reason: 'said without being asked: no denial' }
  if (asked !== undefined && asked.reply !== null) return { level: 'drop', reason: 'the answer was no plain no' }
  return notAsked
}

/** "Doing something to yourself" asks about self-harm in other words. */
function riskOf(text: string): string | null {
  return riskTopic(text.replaceAll(/\b(?:her|him|them)sel(?:f|ves)\b/g, 'yourself'))
}

function isTwoButOne(room: Room, claim: Claim, own: readonly Answered[]): boolean {
  const isBoth = /\bboth\b/i.test(claim.own)
  if (!isBoth) return false
  const clients = room.participants.filter(({ role }) => role !== 'therapist')
  const saying = new Set(own.map(({ by }) => by.id))
  return clients.length > 1 && saying.size < 1
}

function negatedKeys(scope: Scope): Set<string> {
  return new Set(
    scope.units.flatMap((unit) =>
      unit.clauses.flatMap(({ tokens }) => tokens.filter(({ isNegated }) => isNegated).flatMap(({ keys }) => keys)),
    ),
  )
}

function saysNo(scope: Scope): boolean {
  return scope.units.some(
    (unit) => unit.person.role !== 'therapist' && unit.clauses.some(({ tokens }) => tokens.some(({ isNegated }) => isNegated)),
  )
}

/** "Stated" needs somebody other than the therapist who said so, or said yes to it. */
export function statedFaults(scope: Scope, finding: Statement['finding']): Fault[] {
  if (finding?.state !== 'stated') return []
  const spoken = scope.units.filter(({ person }) => person.role !== 'therapist')
  if (spoken.length === 0) {
    const isYes = [...scope.units, ...scope.beside].some(({ reply }) => reply?.kind === 'yes')
    return isYes ? [] : [{ level: 'drop', reason: 'only the therapist said so' }]
  }
  const isOnlyNo = scope.cited.every((at) =>
    spoken.every((unit) => unit.segment !== at || /^(?:no|nope|nah|never)[.!,\s]*$/i.test(unit.text)),
  )
  return isOnlyNo ? [{ level: 'drop', reason: 'the answer was a no' }] : []
}
