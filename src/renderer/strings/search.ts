import { plural } from './plural.ts'

export const searchStrings = {
  title: 'Find',
  field: 'Find a client, a session or a word',
  results: 'Found',
  clients: 'Clients',
  words: 'Said in a session',
  hint: 'Type a name, or words that were said.',
  nothing: 'Nothing was found.',
  nothingText: 'Names are found by the start of any part, words as they stand in a transcript.',
  searching: 'Looking…',
  count: (count: number): string => plural(count, '# result', '# results'),
  at: (name: string, day: string): string => `${name}, ${day}`,
} as const
