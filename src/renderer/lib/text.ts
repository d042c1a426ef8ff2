import { foldName } from '#domain/names.ts'

export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

export const textOrNull = (typed: string): string | null => typed.trim() || null

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>): { value: Value; label: string }[] =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }))

export function isWithin(typed: string, least: number, most: number): boolean {
  const number = Number(typed)
  return typed.trim() !== '' && Number.isInteger(number) && number >= least && number <= most
}

/** Whether each word of `typed` begins a word of the texts. */
export function foundIn(typed: string, ...texts: readonly string[]): boolean {
  const words = foldName(texts.join(' ')).split(' ')
  return foldName(typed)
    .split(' ')
    .every((part) => words.some((word) => word.startsWith(part)))
}
