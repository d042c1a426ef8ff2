/** "José O’Neil" and "jose o'neil" match. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function isSameName(one: string, other: string): boolean {
  const [left, right] = [foldName(one), foldName(other)]
  return left === '' && right === '' ? one.trim() === other.trim() : left === right
}

const joining = new Set(['and', 'or', 'de', 'of', 'the', 'van', 'von', 'der', 'den', 'la', 'le'])

/** "Maren Voss" becomes "M. V.", and the couple "Ada and Jonah Pell" becomes "A. J. P.". */
export function initialsOf(name: string): string {
  return words(name)
    .map((word) => `${first(word)}.`)
    .join(' ')
}

export function monogramOf(name: string): string {
  const letters = words(name).map(first)
  return letters.length <= 1 ? (letters[0] ?? '') : `${letters[0]}${letters.at(-1)}`
}

function words(name: string): string[] {
  const all = name.split(/[\s,&]+/).filter((word) => /\p{L}|\p{N}/u.test(word))
  const meant = all.filter((word) => !joining.has(word.toLowerCase()))
  return meant.length === 0 ? all : meant
}

const first = (word: string): string => (/[\p{L}\p{N}]/u.exec(word)?.[0] ?? '').toLocaleUpperCase()
