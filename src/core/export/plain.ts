/** Text as it may stand in any of the formats: no control characters, no broken surrogates, no changes of direction; newlines as \n. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu, '')
    .trim()
}

export function cleanLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ')
}
