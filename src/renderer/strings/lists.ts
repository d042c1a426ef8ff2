const list = new Intl.ListFormat('en-GB')
const row = new Intl.ListFormat('en-GB', { type: 'unit' })

/** "Ada, Jonah and Sam" */
export const listOfNames = (names: Iterable<string>): string => list.format(names)

/** "Ada, Jonah, Sam" */
export const joined = (names: Iterable<string>): string => row.format(names)

export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
