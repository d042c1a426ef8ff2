import type { Trouble } from '#contract/bridge/app.ts'
import { messages } from './messages.ts'

export const gateStrings = messages.gate

type Words = Readonly<Record<'title' | 'happened' | 'kept' | 'next', string>>

export type TroubleWords = Words & { readonly takesCode: boolean }

const texts: Readonly<Record<Trouble, Words>> = messages.trouble
const takingCode: readonly string[] = ['keychain-locked', 'keychain-unavailable', 'key-gone'] satisfies Trouble[]

export const troubleWords = Object.fromEntries(
  Object.entries(texts).map(([trouble, words]) => [trouble, { ...words, takesCode: takingCode.includes(trouble) }]),
) as Readonly<Record<Trouble, TroubleWords>>
