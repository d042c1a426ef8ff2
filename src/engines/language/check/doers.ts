import { doubt, likely } from './faults.ts'
import type { Claim, Scope, Clause, Fault, Participant, Room, Token } from './types.ts'
import { isNumberWord, timeUnit } from '../text/numbers.ts'
import { anybody, couldBe, relationOf, somebodyElse, namesWritten } from './people.ts'
import { calendar } from './room.ts'

export function doerFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const { clients } = room
  const standing = clients.length === 1 ? clients : []
  const written = new Set(namesWritten(claim.own))
  const isNamed = (word: string): boolean => room.isNamed(word) || written.has(word) || relationOf(word) !== null
  for (const clause of claim.clauses) {
    if (claim.asked.has(clause.index)) continue
    const isDeed = claim.deeds.has(clause.index)
    const checked = clause.tokens.filter(
      (token) =>
        (light.test(token.word) || token.isTelling) &&
        !isNamed(token.word) &&
        !isNumberWord(token.word) &&
        !calendar.test(token.word) &&
        !timeUnit.test(token.word) &&
        !token.isPassive &&
        !isGerund(clause, token) &&
        (!isDeed || token.tense === 'future'),
    )
    const joint = jointly(room, clause)
    const isCommand = (token: Token): boolean =>
      token === clause.tokens[0] && token.tense !== 'past' && !/(?:s|ing)$/.test(token.word)
    const verdicts = checked.map((token) => (isCommand(token) ? null : verdictOf(token, scope, standing, joint)))
    const wrong = verdicts.filter((verdict) => verdict === 'other').length
    const right = verdicts.filter((verdict) => verdict === 'same').length
    if (wrong > 0 && (wrong > right || (clients.length > 1 && wrong === right)))
      return [(right > 0 ? doubt : likely)(`“${checked[verdicts.indexOf('other')]?.word ?? ''}” was said of somebody else`)]
  }
  return relativeFaults(room, claim, scope)
}

/** "Takes it as wanting ...": the subject of "wanting" is not the subject of "takes". */
const isGerund = ({ tokens }: Clause, token: Token): boolean =>
  token.word.endsWith('ing') && /^(?:as|of|for|about|by)$/.test(tokens[tokens.indexOf(token) - 1]?.word ?? '')

function jointly(room: Room, { text }: Clause): string[] {
  const [, one = '', other = ''] = /^(\w+) and (\w+) /.exec(text) ?? []
  const [first] = room.aliases.get(one) ?? []
  const isPerson = room.isNamed(other)
  return first !== undefined && isPerson ? [first] : []
}

function verdictOf(token: Token, scope: Scope, standing: readonly string[], joint: readonly string[]): 'same' | 'other' | null {
  const written = token.doers.length > 0 ? token.doers : standing
  if (written.length === 0 || written.includes(anybody)) return null
  const said = scope.near.flatMap((unit) =>
    unit.clauses.flatMap((clause) =>
      clause.tokens
        .filter((other) => isSameDeed(token, other) && !other.isPassive)
        .map((other) => ({ doers: other.doers, speaker: unit.person, isVerb: isVerbal(token, other) })),
    ),
  )
  if (said.length === 0) return null
  if (joint.length === 0 && !said.some(({ isVerb }) => isVerb)) return null
  const isSame = said.some(
    ({ doers, speaker }) => doers.length === 0 || doers.some((doer) => written.some((own) => couldBe(own, doer, speaker))),
  )
  const isJoint =
    joint.length > 0 &&
    said.every(
      ({ doers, speaker }) => doers.length > 0 && joint.some((own) => !doers.some((doer) => couldBe(own, doer, speaker))),
    )
  return isSame && !isJoint ? 'same' : 'other'
}

function isSameDeed(written: Token, said: Token): boolean {
  if (said.keys[0] === written.keys[0]) return true
  return written.tense === 'future' && said.tense === 'future' && said.keys.some((key) => written.keys.includes(key))
}

const light = /^(?:takes?|took|puts?|gives?|gave|wants?|wanted|keeps?|kept|sleeps?|slept)$/

function isVerbal(written: Token, said: Token): boolean {
  if (light.test(written.word)) return true
  const isBent = (token: Token): boolean => token.tense === 'past' || token.tense === 'future' || token.word.endsWith('ing')
  return isBent(written) || isBent(said) || (written.isAfterPerson && written.word === `${said.word}s`)
}

function relativeFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const own = claim.clauses.flatMap(({ tokens }) => tokens)
  const clients = new Set(room.clients)
  const named = new Set(own.flatMap(({ word }) => room.aliases.get(word) ?? []))
  const isOfTwo = clients.size > 1 && own.slice(1).some(({ word }) => /^(?:he|she|him|her)$/.test(word))
  if (
    isOfTwo ||
    named.size > 1 ||
    own.some(({ word, doers }) => doers.some((doer) => /^[rn]:/.test(doer)) || isPersonWord(room, word))
  )
    return []
  const keys = new Set(
    own
      .filter((token) => token.isTelling && !isNumberWord(token.word) && !timeUnit.test(token.word))
      .map((token) => token.keys[0]),
  )
  const isOfClient = own.some((token) => keys.has(token.keys[0]) && token.doers.every((doer) => clients.has(doer)))
  if (!isOfClient && clients.size === 1) return []
  const shared = scope.units
    .filter((unit) => !unit.isQuestion)
    .flatMap((unit) => unit.clauses.map((clause) => ({ clause, speaker: unit.person })))
    .filter(({ clause }) => clause.tokens.some((token) => keys.has(token.keys[0])))
  if (shared.length === 0) return []
  const isOfOthers = ({ clause, speaker }: { clause: Clause; speaker: Participant }): boolean =>
    speaker.role !== 'therapist' &&
    clause.tokens
      .filter((token) => keys.has(token.keys[0]))
      .every(({ doers }) => doers.length > 0 && doers.every((doer) => doer === somebodyElse || /^[rn]:/.test(doer)))
  return shared.every(isOfOthers) && own.every(({ isPassive, word }) => !isPassive || word === 'been')
    ? [likely('said of somebody else, not of the client')]
    : []
}

const isPersonWord = (room: Room, word: string): boolean =>
  /^(?:somebody|someone|people|others|everybody|they|them)$/.test(word) ||
  (room.aliases.get(word)?.some((id) => room.participants.find((each) => each.id === id)?.role !== 'client') ?? false)
