/** Cuts text to at most `most` UTF-16 code units, without splitting a surrogate pair. */
export const cutText = (text: string, most: number): string => text.slice(0, wholeBefore(text, most))

export function wholeBefore(text: string, at: number): number {
  return at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at
}
