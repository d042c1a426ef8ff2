import { isNumberWord } from './numbers.ts'
import { isCleanQuote, lengthOf, quotable, spanOf, textOf } from './quotes.ts'
import { beforeStale, isStale, isUsable } from './session.ts'
import type { SessionView } from './session.ts'
import { weekday } from './lexicon/planning.ts'
import { shareOf, wordsOf } from './tokens.ts'
import type { Sentence, Span, Turn } from './types.ts'

/** The start of a reply, sentence by sentence, as raw runs: what is said first answers. */
export function answerSpans(view: SessionView, reply: Turn, limit: number, isRisk: boolean, most = 2): Span[] {
  const spans: Span[] = []
  let total = 0
  for (const sentence of reply.sentences) {
    if (!isUsable(view, sentence) || (sentence.isQuestion && spans.length > 0)) continue
    const whole = sentence.words.length <= 3 ? bareSpan(sentence) : spanOf(sentence)
    const span = isStale(view, whole) ? beforeStale(view, whole) : whole
    if (!span || textOf(span).trim() === '' || (isEmptyAnswer(sentence) && !(isRisk && sentence.words.length >= 4))) continue
    const length = lengthOf(span)
    if (total + length > limit) break
    if (!isRisk && spans.length > 0 && ofOthers.test(sentence.clean)) break
    if (!isRisk && (sentence.isHypothetical || (spans.length > 0 && (sentence.isReported || length > 12)))) break
    const clean = isRisk || isCleanQuote(textOf(span)) ? span : wholeOr(span, quotable(sentence, 12, null))
    if (!clean) {
      if (length > 6) break
      continue
    }
    if (spans.some((each) => textOf(each).toLowerCase() === textOf(clean).toLowerCase())) continue
    if (
      !isRisk &&
      spans.length > 0 &&
      sentence.stems.size > 0 &&
      spans.some((each) => shareOf(sentence.stems, each.sentence.stems) === 1)
    )
      continue
    spans.push(clean)
    total += length
    if (spans.length === (isRisk ? 5 : most)) break
  }
  return spans
}

/** Another person's drinking, illness or tablets answer nothing about the client. */
const ofOthers =
  /\b(?:he|she|they)(?:'s|'re)? (?:stopped|started|quit|gave up|drinks?|smokes?|takes?|took|on) |\bmy \w+(?:'s| is| was) on \w+/i

/** A cut must not lose a number or a day of a list: then the broken run is quoted whole. */
function wholeOr(whole: Span, part: Span | null): Span | null {
  if (!part || lengthOf(whole) > 14) return part
  const said = countable(textOf(part))
  return countable(textOf(whole)) > said ? whole : part
}

function countable(text: string): number {
  return wordsOf(text).filter((word) => isNumberWord(word.toLowerCase()) || weekday.test(word)).length
}

const isEmptyAnswer = (sentence: Sentence): boolean =>
  sentence.stems.size === 0 &&
  !/\b(?:yes|yeah|no|never|not|none|nothing|once|twice|all|always|some|every|i do|i did|i have|\d+)\b/i.test(sentence.clean) &&
  !sentence.words.some(isNumberWord)

/** A short answer is quoted with its yes or no. */
function bareSpan(sentence: Sentence): Span {
  const end = /[\s,.;:!…–—-]*$/.exec(sentence.raw)?.[0].length ?? 0
  return { sentence, from: sentence.from, to: sentence.to - end }
}
