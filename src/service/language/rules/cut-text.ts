/** Of a paragraph in a note, in UTF-16 code units: `paragraphSchema`. */
export const MAX_PARAGRAPH = 4000

/** At most so many code units. */
export const cutText = (text: string, most = MAX_PARAGRAPH): string => text.slice(0, wholeBefore(text, most))

/** The same place, or the one before it where a character of two code units would be cut in half. */
export function wholeBefore(text: string, at: number): number {
  return at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at
}
