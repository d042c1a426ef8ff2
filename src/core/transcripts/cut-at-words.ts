import type { Segment } from '#contract/model/transcript.ts'

/** A turn cut where its words change speaker; null where its words are not those of its text. */
export function cutAtWords(segment: Segment, speakers: readonly (string | null)[]): Segment[] | null {
  const { id, text, words } = segment
  const starts = words === undefined ? null : wordStarts(text, words)
  if (words === undefined || starts === null) return null
  const parts: Segment[] = []
  for (let from = 0; from < words.length;) {
    let to = from + 1
    while (to < words.length && speakers[to] === speakers[from]) to++
    const isLast = to === words.length
    parts.push({
      ...segment,
      id: from === 0 ? id : `${id}-${from + 1}`.slice(-64),
      speaker_id: speakers[from]!,
      start_ms: from === 0 ? segment.start_ms : words[from]!.start_ms,
      end_ms: isLast ? segment.end_ms : words[to - 1]!.end_ms,
      text: text.slice(from === 0 ? 0 : starts[from], isLast ? text.length : starts[to]).trim(),
      words: words.slice(from, to),
    })
    from = to
  }
  return parts
}

function wordStarts(text: string, words: readonly { text: string }[]): number[] | null {
  if (words.length === 0) return null
  const starts: number[] = []
  let from = 0
  for (const word of words) {
    const at = text.indexOf(word.text.trim(), from)
    if (at < 0) return null
    starts.push(at)
    from = at + word.text.trim().length
  }
  return starts
}
