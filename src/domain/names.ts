/** Folds a name for comparison: "José O’Neil" and "jose o'neil" match. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Names without letters or digits are compared as written, apart from spaces around them. */
export function isSameName(one: string, other: string): boolean {
  const [left, right] = [foldName(one), foldName(other)]
  return left === '' && right === '' ? one.trim() === other.trim() : left === right
}
