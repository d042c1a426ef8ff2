import type { Claim } from './claims.ts'
import { namesWritten } from './names-written.ts'
import { isFrame } from './lexicon/frame.ts'
import { keysOf } from './lexicon/synonyms.ts'
import { relationOf } from './people.ts'
import { calendar } from './room.ts'
import type { Scope } from './scope.ts'
import type { Fault, Room, Unit } from './types.ts'
import { isContent, runOf } from './words.ts'

const acronym = /^[A-Z0-9-]+$/
const afterName =
  /^(?:is|was|has|had|will|would|said|says|told|thinks|called|rang|gave|gives|sat|put|brings|brought|took|takes|keeps|came|comes|offered|wants|asked|and|does|did|can)$/

/** Everybody named was named where the statement points, or a moment before. */
export function nameFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const near = wordsOf([...scope.units, ...scope.beside])
  const around = wordsOf(scope.around)
  const [first = 0] = scope.cited
  const earlier = wordsOf(Array.from({ length: Math.min(first, 8) }, (_, back) => room.unitsAt(first - 1 - back)).flat())
  const faults: Fault[] = []
  for (const name of new Set([...namesWritten(claim.own), ...opening(room, claim)])) {
    if (calendar.test(name) || room.aliases.has(name) || relationOf(name) !== null || near.has(name) || isTitle(name)) continue
    if (acronym.test(name.toUpperCase()) && new RegExp(`\\b${name.toUpperCase()}\\b`).test(claim.text)) continue
    const kin = scope.units.flatMap(({ text }) => runOf(text).flatMap((word) => relationOf(word) ?? []))
    const isOtherKin = kin.some((relation) => !runOf(claim.own).some((word) => relationOf(word) === relation))
    const others = [...room.names].filter(
      (other) => other !== name && near.has(other) && !runOf(claim.own).includes(other) && !room.aliases.has(other),
    )
    if ((around.has(name) || earlier.has(name) || isMeant(room, name, scope)) && others.length === 0 && !isOtherKin) continue
    faults.push({
      level: room.vocabulary.has(name) && others.length === 0 ? 'doubt' : 'drop',
      reason: `“${name.charAt(0).toUpperCase()}${name.slice(1)}” is not named where the statement points`,
    })
  }
  return faults
}

/** "Her room", in a session that speaks of nobody as often as of her. */
function isMeant(room: Room, name: string, scope: Scope): boolean {
  const count = (each: string): number =>
    room.segments.filter(({ text }) => runOf(text).some((word) => word.replace(/'s$/, '') === each)).length
  const own = count(name)
  return (
    own >= 3 &&
    scope.units.some(({ text }) => /\b(?:he|him|his|she|her)\b/i.test(text)) &&
    [...room.names].every((other) => room.aliases.has(other) || count(other) <= own)
  )
}

function isTitle(name: string): boolean {
  return /^(?:dr|doctor|mr|mrs|ms|miss|gp|phq|gad|saint|st|year|she|he|they|her|his|their|it|the|this|asked|rated|therapist|client|patient|plan|agreed|next)$/.test(
    name,
  )
}

/** The first word of a sentence carries a capital anyway: a name only where it behaves like one. */
function opening(room: Room, claim: Claim): string[] {
  return [...claim.own.matchAll(/(?:^|[.!?;]\s+)(\p{Lu}\p{Ll}+)(?:'s)?\s+(\p{Ll}+)/gu)].flatMap((match) => {
    const word = (match[1] ?? '').toLowerCase()
    const next = match[2] ?? ''
    if (room.names.has(word)) return [word]
    return isContent(word) &&
      keysOf(word).length === 1 &&
      !isFrame(word) &&
      relationOf(word) === null &&
      afterName.test(next) &&
      !/(?:ing|ed|s|ly)$/.test(word)
      ? [word]
      : []
  })
}

function wordsOf(units: readonly Unit[]): Set<string> {
  return new Set(units.flatMap((unit) => runOf(unit.text).flatMap((word) => [word, word.replace(/'s$|s'$/, '')])))
}
