/** "Ada, Jonah and Sam" */
export const listOfNames = (names: Iterable<string>): string => new Intl.ListFormat('en-GB').format(names)

/** "Ada, Jonah, Sam" */
export const joined = (names: Iterable<string>): string => new Intl.ListFormat('en-GB', { type: 'unit' }).format(names)

/** "Recording and transcript", for the start of a sentence */
export const listAtStart = (names: Iterable<string>): string => capitalized(listOfNames(names))

export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
