import { interventionKinds } from '../rules/lexicon/interventions.ts'
import type { Claim } from './claims.ts'
import { isFrame } from './lexicon/frame.ts'
import { strictKind } from './lexicon/strict.ts'
import { relationOf } from './people.ts'
import type { Scope } from './scope.ts'
import type { Clause, Fault, Room, Token, Unit } from './types.ts'

/** What the statement tells was told: its own words, or words that may stand for them, are where it points. */
export function contentFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const near = keysOfUnits([...scope.units, ...scope.beside])
  const around = keysOfUnits(scope.around)
  const [first = 0] = scope.cited
  const earlier = keysOfUnits(Array.from({ length: Math.min(first, 8) }, (_, back) => room.unitsAt(first - 1 - back)).flat())
  const faults: Fault[] = []
  let told = 0
  let found = 0
  for (const clause of claim.clauses) {
    const own = clause.tokens.filter(
      (token) => token.isContent && !isFrame(token.word) && !isParticipant(room, token.word) && !/\d/.test(token.word),
    )
    const missing = own.filter(({ keys }) => !keys.some((key) => near.has(key)))
    told += own.length
    found += own.length - missing.length
    for (const { word, keys } of missing) {
      const kind = strictKind(word)
      if (kind === null || isAllowed(room, word, kind, scope)) continue
      if (kind !== 'relation' && keys.some((key) => key !== word && (around.has(key) || earlier.has(key)))) continue
      faults.push({
        level: kind === 'relation' || around.has(word) ? 'doubt' : 'drop',
        reason: `“${word}” was not said where the statement points`,
      })
    }
    if (claim.deeds.has(clause.index) || claim.asked.has(clause.index)) continue
    const nowhere = missing.filter(({ keys }) => !keys.some((key) => around.has(key)))
    if (isNamedIntervention(claim, scope)) continue
    const loose = clause.tokens.find(
      (token, at) => isLoose(token, clause, at) && nowhere.includes(token) && !token.keys.some((key) => earlier.has(key)),
    )
    if (loose) faults.push({ level: 'doubt', reason: `“${loose.word}” was not said where the statement points` })
    if (
      (own.length >= 2 && nowhere.length === own.length) ||
      (own.length >= 3 && (nowhere.length / own.length > 0.6 || (missing.length / own.length > 0.6 && nowhere.length > 0)))
    )
      faults.push({ level: 'doubt', reason: `little of “${shown(clause)}” was said where the statement points` })
  }
  if (told >= 3 && found === 0 && faults.length === 0 && !claim.clauses.every((clause) => claim.deeds.has(clause.index)))
    faults.push({ level: 'doubt', reason: 'hardly any of its words were said where it points' })
  return faults
}

/** "On the train": the place or thing after a preposition. */
function isLoose(token: Token, clause: Clause, at: number): boolean {
  const before = clause.tokens
    .slice(Math.max(0, at - 2), at)
    .map(({ word }) => word)
    .join(' ')
  const next = clause.tokens[at + 1]
  return (
    /(?:^|\b)(?:on|at|in|into|to|from) (?:the|a|an|her|his|their)$/.test(before) &&
    !/(?:ing|ed|ly|tion|ment|ness|ity|ance|ence|ssion)$/.test(token.word) &&
    !(next?.isContent ?? false)
  )
}

/** The name of a method, and the therapist's words it was read from. */
function isNamedIntervention(claim: Claim, scope: Scope): boolean {
  return scope.units.some(
    ({ person, text }) =>
      person.role === 'therapist' &&
      interventionKinds.some(
        ({ name, act, pattern }) => (claim.text.includes(name) || claim.text.includes(act)) && pattern.test(text),
      ),
  )
}

function keysOfUnits(units: readonly Unit[]): Set<string> {
  const keys = new Set<string>()
  for (const unit of units) for (const key of unit.keys) keys.add(key)
  return keys
}

function isParticipant(room: Room, word: string): boolean {
  return room.aliases.has(word)
}

/** A person named by kinship who is known from elsewhere in the session, with nobody else named in the cited words. */
function isAllowed(room: Room, word: string, kind: string, scope: Scope): boolean {
  if (kind !== 'relation') return false
  const relation = relationOf(word)
  const isKnown = [...room.vocabulary].some((said) => said === word || (relation !== null && relationOf(said) === relation))
  const others = scope.units.flatMap((unit) =>
    unit.clauses.flatMap((clause) => clause.tokens.map((token) => relationOf(token.word))),
  )
  return isKnown && others.every((other) => other === null || other === relation)
}

function shown(clause: Clause): string {
  const text = clause.tokens.map(({ word }) => word).join(' ')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
