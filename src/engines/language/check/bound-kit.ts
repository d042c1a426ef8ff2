import { isOfForm } from './figures.ts'
import { isFrame } from './lexicon/frame.ts'
import { isNumberWord, numbersOf } from './numbers.ts'
import type { Numeral } from './numbers.ts'
import type { Clause, Token, Unit } from './types.ts'

export function wordsOf({ tokens }: Clause): string[] {
  return tokens.map(({ word }) => word)
}

export function numeralsOf(units: readonly Unit[]): Numeral[] {
  return units.flatMap(({ clauses }) =>
    clauses.flatMap((clause) => numbersOf(clause).filter((numeral) => !isOfForm(wordsOf(clause), numeral))),
  )
}

export function meets(one: Numeral, other: Numeral): boolean {
  return one.values.some((value) => other.values.includes(value))
}

export function contentOf(clause: Clause): Token[] {
  return clause.tokens.filter((token) => token.isContent && !isFrame(token.word) && !isNumberWord(token.word))
}
