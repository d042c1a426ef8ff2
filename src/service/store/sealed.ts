import type { ColumnType } from 'kysely'

/** What a store on PostgreSQL may see of a practice: nothing without these keys. */
export interface PracticeKeys {
  seal(text: string): string
  sealBytes(bytes: Uint8Array): Uint8Array
  /** One way, the same for the same word of the same practice. */
  blind(word: string): string
}

/**
 * A value the driver writes in a form of its store's own: as it is into SQLite, whose file is encrypted as a whole;
 * never as it is into PostgreSQL, whose rows whoever runs it can read.
 */
export interface Guarded {
  readonly isGuarded: true
  readonly plain: string | Uint8Array
  hidden(keys: PracticeKeys): string | Uint8Array
}

declare const whole: unique symbol
/** Read back as it was given; nothing can be compared with it in a query. */
export type Sealed<Value extends string | Uint8Array = string> = Guarded & { readonly [whole]?: Value }

/** A column that only takes what is sealed. */
export type SealedText = ColumnType<string, Sealed, Sealed>
export type SealedTextOrNull = ColumnType<string | null, Sealed | null, Sealed | null>
export type SealedBytesOrNull = ColumnType<Uint8Array | null, Sealed<Uint8Array> | null, Sealed<Uint8Array> | null>

/** Text with anything clinical in it. */
export function sealed(text: string): Sealed {
  return { isGuarded: true, plain: text, hidden: (keys) => keys.seal(text) }
}

export function sealedOrNull(text: string | null): Sealed | null {
  return text === null ? null : sealed(text)
}

export function sealedBytes(bytes: Uint8Array): Sealed<Uint8Array> {
  return { isGuarded: true, plain: bytes, hidden: (keys) => keys.sealBytes(bytes) }
}

/** Words to be found by how they begin. Hidden, each beginning stands there as a number that only its practice can make. */
export function searchWords(text: string): Guarded {
  const words = wordsOf(text)
  return { isGuarded: true, plain: words.join(' '), hidden: ({ blind }) => words.flatMap(beginningsOf).map(blind).join(' ') }
}

/** For `(' ' || column) like ${beginsWith(word)} escape '~'`. */
export function beginsWith(word: string): Guarded {
  const literal = word.replaceAll(/[~%_]/g, '~$&')
  return { isGuarded: true, plain: `% ${literal}%`, hidden: ({ blind }) => `% ${blind(word)}%` }
}

export const isGuarded = (value: unknown): value is Guarded =>
  typeof value === 'object' && value !== null && 'isGuarded' in value && value.isGuarded === true

/** "Anna-Maria" is found by "maria", and "100%" by its sign. */
export const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]+/gu) ?? []

function beginningsOf(word: string): string[] {
  const letters = [...word]
  return letters.map((_, index) => letters.slice(0, index + 1).join(''))
}
