export interface Cut {
  readonly from: number
  readonly to: number
}

const ABBREVIATION_REACH = 40
const abbreviation = /(?:\b(?:dr|mr|mrs|ms|st|vs|approx|prof)|\b[a-z]\.[a-z])\.\s*$/i
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

export function cutByStops(text: string): Cut[] {
  const cuts: Cut[] = []
  let joinsNext = false
  for (const piece of segmenter.segment(text)) {
    const end = piece.index + piece.segment.length
    const last = cuts.at(-1)
    if (joinsNext && last) cuts[cuts.length - 1] = { from: last.from, to: end }
    else cuts.push({ from: piece.index, to: end })
    joinsNext = abbreviation.test(piece.segment)
  }
  return cuts.flatMap((cut) => cutAgain(text, cut)).map((cut) => trimmed(text, cut))
}

/** Also splits before a lowercase letter, because some recognizers write no capitals. */
function cutAgain(text: string, cut: Cut): Cut[] {
  const cuts: Cut[] = []
  let from = cut.from
  for (const match of text.slice(cut.from, cut.to).matchAll(/[.?!]["']?\s+(?=\p{Ll})/gu)) {
    const to = cut.from + match.index + match[0].length
    if (abbreviation.test(text.slice(Math.max(from, to - ABBREVIATION_REACH), to))) continue
    cuts.push({ from, to })
    from = to
  }
  return [...cuts, { from, to: cut.to }]
}

export function trimmed(text: string, cut: Cut): Cut {
  let { from, to } = cut
  while (from < to && /\s/.test(text.charAt(from))) from += 1
  while (to > from && /\s/.test(text.charAt(to - 1))) to -= 1
  return { from, to }
}
