import { contentOf, meets, numeralsOf, wordsOf } from './bound-kit.ts'
import type { Claim } from './claims.ts'
import { absentPeople, inCompany, notAtThem, otherPerson, swappedReporter } from './company.ts'
import { isOfForm } from './figures.ts'
import { isFrame } from './lexicon/frame.ts'
import { isRegister } from './lexicon/register.ts'
import { keysOf } from './lexicon/synonyms.ts'
import { isNumberWord, numbersOf } from './numbers.ts'
import type { Scope } from './scope.ts'
import { againstItself, lastWord, leftBehind, putRight, takenBack, turnedRange } from './settled.ts'
import type { Clause, Fault, Room, Unit } from './types.ts'

/** What stands together in the statement stood together where it was said: a number with its thing, a person with their deed. */
export function boundFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const near = [...scope.units, ...scope.beside]
  return [
    ...putRight(claim, near),
    ...takenBack(claim, near),
    ...leftBehind(claim, scope),
    ...turnedRange(claim, scope.units),
    ...againstItself(claim),
    ...claim.clauses.flatMap((clause) =>
      claim.deeds.has(clause.index) || claim.asked.has(clause.index)
        ? []
        : [...otherCount(clause, scope.units), ...otherPerson(room, clause, scope.units)],
    ),
    ...absentPeople(room, claim, scope),
    ...otherKind(claim, scope),
    ...complement(claim, scope),
    ...notAtThem(claim, near),
    ...swappedReporter(room, claim, near),
    ...lastWord(claim, scope),
    ...inCompany(claim, near),
  ]
}

/** "The shoes three times" where the shoes were done once. */
function otherCount(clause: Clause, units: readonly Unit[]): Fault[] {
  const words = wordsOf(clause)
  const numerals = numbersOf(clause).filter((numeral) => !isOfForm(words, numeral))
  const [numeral] = numerals
  if (!numeral || numerals.length !== 1 || !(words[numeral.to] === 'times' || words[numeral.from] === 'twice')) return []
  if (numeralsOf(units).filter((each) => meets(each, numeral)).length > 1) return []
  const own = contentOf(clause)
  const said = units
    .flatMap((unit) => unit.clauses)
    .map((other) => ({
      shared: own.filter((token) => other.tokens.some(({ keys }) => keys[0] === token.keys[0])).length,
      numbers: numbersOf(other),
    }))
  const most = Math.max(0, ...said.map(({ shared }) => shared))
  const best = said.filter(({ shared, numbers }) => shared === most && numbers.length > 0)
  if (most === 0 || best.length === 0 || best.some(({ numbers }) => numbers.some((each) => meets(each, numeral)))) return []
  return [{ level: 'doubt', reason: 'another number was said of this' }]
}

/** "The railway station" where it was the petrol station. */
function otherKind(claim: Claim, scope: Scope): Fault[] {
  const units = [...scope.units, ...scope.beside]
  const all = [...units, ...scope.around]
  const isHeard = (key: string): boolean => all.some(({ keys }) => keys.has(key))
  for (const clause of claim.clauses) {
    for (const [at, token] of clause.tokens.entries()) {
      const next = clause.tokens[at + 1]
      if (
        !next?.isContent ||
        !token.isContent ||
        isFrame(token.word) ||
        isFrame(next.word) ||
        isRegister(token.word) ||
        isRegister(next.word) ||
        keysOf(token.word).length > 1 ||
        /(?:ed|ing|ly|s|th)$/.test(token.word)
      )
        continue
      if (token.keys.some(isHeard) || isNumberWord(token.word)) continue
      const before = units.flatMap((unit) =>
        unit.clauses.flatMap(({ tokens }) =>
          tokens.flatMap((other, place) => (other.keys[0] === next.keys[0] ? [tokens[place - 1]] : [])),
        ),
      )
      if (before.length > 0 && before.every((other) => other?.isContent === true))
        return [{ level: 'doubt', reason: `“${token.word} ${next.word}” was not said` }]
    }
  }
  return []
}

/** "Told him that ..." with nothing of what he was told. */
function complement(claim: Claim, scope: Scope): Fault[] {
  const heard = new Set([...scope.units, ...scope.beside].flatMap(({ keys }) => [...keys]))
  for (const clause of claim.clauses) {
    const words = wordsOf(clause)
    const told = words.findIndex((word) => /^(?:told|tells)$/.test(word))
    const at = words.indexOf('that', told + 1)
    if (told < 0 || at < 0 || claim.deeds.has(clause.index)) continue
    const own = clause.tokens.slice(at + 1).filter((token) => token.isContent && !isFrame(token.word))
    if (own.length > 0 && own.every(({ keys }) => !keys.some((key) => heard.has(key))))
      return [{ level: 'doubt', reason: 'nothing of what was told was said there' }]
  }
  return []
}
