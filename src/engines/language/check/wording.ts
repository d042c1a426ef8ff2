import { doubt, drop, notSaid, short, keysIn, unitsBefore, tokensOf } from './faults.ts'
import { interventionKinds } from '../rules/lexicon/interventions.ts'
import type { Claim, Scope, Clause, Fault, Room, Token, Unit } from './types.ts'
import { isRegister, strictKind } from './lexicon/words.ts'
import { isNumberWord } from '../text/numbers.ts'
import { relationOf } from './people.ts'
import { calendar } from './room.ts'
import { runOf } from '../text/words.ts'

export function contentFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const near = keysIn(scope.near)
  const around = keysIn(scope.around)
  const earlier = keysIn(unitsBefore(room, scope, 8))
  const nearKin = kinIn(scope.near)
  const faults: Fault[] = []
  let told = 0
  let found = 0
  const isCounted = claim.clauses.some(({ tokens }) => tokens.some(({ word }) => isNumberWord(word) || calendar.test(word)))
  for (const clause of claim.clauses) {
    const own = clause.tokens.filter(
      (token) =>
        token.isTelling &&
        !isRegister(token.word) &&
        !room.isNamed(token.word) &&
        !isNumberWord(token.word) &&
        !calendar.test(token.word) &&
        !/^(?:mr|mrs|ms|miss|dr)$/.test(token.word),
    )
    const missing = own.filter(
      ({ word, keys }) => !(isKin(word) ? near.has(word) || nearKin.has(relationOf(word)) : keys.some((key) => near.has(key))),
    )
    const things = own.filter(({ word }) => relationOf(word) === null)
    told += things.length
    found += clause.tokens.filter(
      (token) =>
        token.isContent &&
        !room.isNamed(token.word) &&
        token.keys.some((key) => near.has(key) || (around.has(key) && things.includes(token))),
    ).length
    for (const { word, keys } of missing) {
      const kind = isKin(word) ? 'relation' : strictKind(word)
      if (kind === null || (kind === 'relation' && isAllowed(room, claim, word, scope))) continue
      if (kind !== 'relation' && keys.some((key) => key !== word && (around.has(key) || earlier.has(key)))) continue
      faults.push((kind === 'relation' || around.has(word) ? doubt : drop)(notSaid(word)))
    }
    if (claim.deeds.has(clause.index) || claim.asked.has(clause.index)) continue
    const nowhere = missing.filter(({ keys }) => !keys.some((key) => around.has(key)))
    if (isNamedIntervention(claim, scope)) continue
    const loose = clause.tokens.find(
      (token, at) => isLoose(token, clause, at) && nowhere.includes(token) && !token.keys.some((key) => earlier.has(key)),
    )
    if (loose) faults.push(doubt(notSaid(loose.word)))
    if (
      (own.length >= 2 && nowhere.length === own.length) ||
      (own.length >= 3 && (nowhere.length / own.length > 0.6 || (missing.length / own.length > 0.6 && nowhere.length > 0)))
    )
      faults.push(doubt(`little of “${short(clause.words.join(' '))}” was said where the statement points`))
  }
  const isOwn = claim.clauses.some(({ index }) => !claim.deeds.has(index) && !claim.denied.has(index))
  if (told >= (isCounted ? 3 : 1) && found === 0 && faults.length === 0 && isOwn)
    faults.push(doubt('hardly any of its words were said where it points'))
  return faults
}

const isKin = (word: string): boolean => strictKind(word) === 'relation' || relationOf(word) === 'r:neighbour'

const kinIn = (units: readonly Unit[]): Set<string | null> =>
  new Set(
    units.flatMap(({ text, clauses }) => [
      ...clauses.flatMap(({ tokens }) => tokens.map(({ word }) => relationOf(word))),
      ...(/\bnext door\b/i.test(text) ? ['r:neighbour'] : []),
    ]),
  )

function isLoose(token: Token, clause: Clause, at: number): boolean {
  const before = clause.words.slice(Math.max(0, at - 2), at).join(' ')
  const next = clause.tokens[at + 1]
  return (
    /(?:^|\b)(?:on|at|in|into|to|from) (?:the|a|an|her|his|their)$/.test(before) &&
    !/(?:ing|ed|ly|tion|ment|ness|ity|ance|ence|ssion)$/.test(token.word) &&
    !isRegister(token.word) &&
    !(next?.isContent ?? false)
  )
}

const isNamedIntervention = (claim: Claim, scope: Scope): boolean =>
  scope.units.some(
    ({ person, text }) =>
      person.role === 'therapist' &&
      interventionKinds.some(
        ({ name, act, pattern }) => (claim.text.includes(name) || claim.text.includes(act)) && pattern.test(text),
      ),
  )

function isAllowed(room: Room, claim: Claim, word: string, scope: Scope): boolean {
  const relation = relationOf(word)
  if (isCalledByName(room, claim, word, scope) || isShe(room, relation, scope)) return true
  const written = new Set(claim.clauses.flatMap(({ words }) => words.map(relationOf)))
  const isKnown = [...room.vocabulary].some((said) => said === word || (relation !== null && relationOf(said) === relation))
  const isMeant = scope.near.some(({ text }) => /\b(?:he|him|his|she|her|they|them|their|we|us)\b/i.test(text))
  const isNear = scope.around.some(({ text }) => runOf(text).some((said) => relationOf(said) === relation))
  const others = scope.units.flatMap(tokensOf).map((token) => relationOf(token.word))
  return isKnown && (isMeant || isNear) && others.every((other) => other === null || other === relation || written.has(other))
}

const isCalledByName = (room: Room, { clauses }: Claim, word: string, scope: Scope): boolean =>
  clauses.some(({ tokens }) =>
    tokens.some(({ word: name, keys: [key = ''] }, at) => {
      const isCalled = tokens[at - 1]?.word === word && room.names.has(name)
      return isCalled && scope.units.some(({ keys }) => keys.has(key))
    }),
  )

/** "She's doing two jobs" or "he ..." can mean a relative who was mentioned shortly before. */
function isShe(room: Room, relation: string | null, scope: Scope): boolean {
  const said = /^r:(?:mother|sister|daughter|wife|grandmother|aunt|niece)$/.test(relation ?? '')
    ? /\b(?:she|her)\b/i
    : /\b(?:he|him|his)\b/i
  return kinIn(unitsBefore(room, scope, 6)).has(relation) && scope.units.some(({ text }) => said.test(text))
}
