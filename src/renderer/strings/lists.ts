import { catalogLanguage } from './locale.ts'

/** For example "Ada, Jonah, and Sam". */
export const listOfNames = (names: Iterable<string>): string => new Intl.ListFormat(catalogLanguage).format(names)

/** For example "Ada, Jonah, Sam". */
export const joined = (names: Iterable<string>): string => new Intl.ListFormat(catalogLanguage, { type: 'unit' }).format(names)

export const listAtStart = (names: Iterable<string>): string => capitalized(listOfNames(names))

export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
