import type { Fault, Room, Scope, Token, Unit } from './types.ts'

export const drop = (reason: string): Fault => ({ level: 'drop', reason })
export const likely = (reason: string): Fault => ({ level: 'likely', reason })
export const doubt = (reason: string): Fault => ({ level: 'doubt', reason })

export const notSaid = (words: string): string => `“${words}” was not said where the statement points`

export const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

export const tokensOf = ({ clauses }: Pick<Unit, 'clauses'>): Token[] => clauses.flatMap(({ tokens }) => tokens)

export const keysIn = (units: readonly Unit[]): Set<string> => new Set(units.flatMap(({ keys }) => [...keys]))

export const unitsBefore = ({ unitsAt }: Room, { cited: [first = 0] }: Scope, most: number): Unit[] =>
  Array.from({ length: Math.min(first, most) }, (_, back) => unitsAt(first - 1 - back)).flat()

export const ofOthers = (units: readonly Unit[]): Unit[] => units.filter(({ person }) => person.role !== 'therapist')

export const textOf = (units: readonly Unit[]): string => units.map(({ text }) => text).join(' ')
