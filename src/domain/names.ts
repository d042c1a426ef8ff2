/**
 * A name as names are compared: letters and digits without case, accents or punctuation, words parted by single spaces.
 * "José O’Neil" and "jose o'neil" are one name.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Names without a letter or digit are compared as they are. */
export function isSameName(one: string, other: string): boolean {
  const [left, right] = [foldName(one), foldName(other)]
  return left === '' && right === '' ? one.trim() === other.trim() : left === right
}
