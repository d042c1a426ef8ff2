/** At most so many UTF-16 code units, as limits of the contract count them. */
export const cutText = (text: string, most: number): string => text.slice(0, wholeBefore(text, most))

/** The same place, or the one before it where a character of two code units would be cut in half. */
export function wholeBefore(text: string, at: number): number {
  return at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at
}
