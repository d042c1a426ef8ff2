import type { ColumnType } from 'kysely'

export interface PracticeKeys {
  seal(text: string): string
  sealBytes(bytes: Uint8Array): Uint8Array
  /** Deterministic keyed hash: equal words of one practice give equal values. */
  blind(word: string): string
}

/** SQLite gets `plain`, because its file is encrypted. PostgreSQL, whose administrators can read rows, gets `hidden`. */
export interface Guarded {
  readonly isGuarded: true
  readonly plain: string | Uint8Array
  hidden(keys: PracticeKeys): string | Uint8Array
}

declare const whole: unique symbol
/** A value for a sealed column. Reads return it as it was given, but queries must not compare it. */
export type Sealed<Value extends string | Uint8Array = string> = Guarded & { readonly [whole]?: Value }

export type SealedText = ColumnType<string, Sealed, Sealed>
export type SealedTextOrNull = ColumnType<string | null, Sealed | null, Sealed | null>
export type SealedBytesOrNull = ColumnType<Uint8Array | null, Sealed<Uint8Array> | null, Sealed<Uint8Array> | null>

export function sealed(text: string): Sealed {
  return { isGuarded: true, plain: text, hidden: (keys) => keys.seal(text) }
}

export function sealedOrNull(text: string | null): Sealed | null {
  return text === null ? null : sealed(text)
}

export function sealedBytes(bytes: Uint8Array): Sealed<Uint8Array> {
  return { isGuarded: true, plain: bytes, hidden: (keys) => keys.sealBytes(bytes) }
}

export function searchWords(text: string): Guarded {
  const words = wordsOf(text)
  return { isGuarded: true, plain: words.join(' '), hidden: ({ blind }) => words.flatMap(beginningsOf).map(blind).join(' ') }
}

export function beginsWith(word: string): Guarded {
  const literal = word.replaceAll(/[~%_]/g, '~$&')
  return { isGuarded: true, plain: `% ${literal}%`, hidden: ({ blind }) => `% ${blind(word)}%` }
}

export const isGuarded = (value: unknown): value is Guarded =>
  typeof value === 'object' && value !== null && 'isGuarded' in value && value.isGuarded === true

/** "Anna-Maria" is found by "maria", and "100%" by "%". */
export const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]+/gu) ?? []

function beginningsOf(word: string): string[] {
  const letters = [...word]
  return letters.map((_, index) => letters.slice(0, index + 1).join(''))
}
