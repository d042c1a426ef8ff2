import { hypothetical, humour, instruction, reportedSpeech, smallTalk } from './lexicon/signs.ts'
import { isModal, isParticiple, isPast } from '../text/verbs.ts'

const startsQuestion = new RegExp(
  '^(?:' +
    [
      "(?:what|how|when|where|why|who|which)(?:'s|'d|'re|'ve)?\\b(?!ever)",
      "(?:have|has|do|does|did|are|is|was|were|would|could|can|will|shall|should|had|may)(?:n't)? (?:you|your|there|it|that|this|he|she|they|we|i|any|anybody|anyone|anything|the|those|these|somebody|someone|\\p{Lu}\\p{Ll}+)\\b",
      '(?:any|anything|anyone|anybody|ever)\\b',
    ].join('|') +
    ')',
  'iu',
)
const notQuestion =
  /^(?:what i|what i'm|what i'd|what you|what we|how about that|when i|when you|when he|when she|when it|when they|when we|where i|who knows|what a\b|how lovely|how nice|anything else i)/i
const inverted =
  /\b(?:(?:do|did|are|were|have|would|could|can|will) you|is there|was there|how (?:long|many|much|often|old)|what (?:do|did|would|happens|happened)|how (?:do|did|would))\b/i

export function asksSomething(clean: string, isTherapist: boolean, isLast: boolean, unpunctuated: boolean): boolean {
  if (/\?["']?$/.test(clean)) return true
  if (!unpunctuated && /[,:;]$/.test(clean)) return false
  const body = clean.replace(/^(?:(?:so|and|but|okay|ok|well|right|um|now|then|yeah|yes|no|thanks|mm|oh)[, ]+)+/i, '')
  if (startsQuestion.test(body) && !notQuestion.test(body)) return unpunctuated || isTherapist || !clean.endsWith('.')
  if (!unpunctuated || !isTherapist) return false
  const tail = clean.split(' ').slice(-20).join(' ')
  if (inverted.test(tail) && !/\b(?:what|how|when|where|if|that|as) (?:i|you|we) /i.test(tail)) return true
  return (
    isLast &&
    /^and (?:the|your|how|what|at|in|with) /i.test(clean) &&
    clean.split(' ').length <= 7 &&
    lacksVerb(clean.toLowerCase().split(' '))
  )
}

const finite =
  /^(?:is|are|was|were|am|has|have|had|do|does|did|will|would|i'm|i've|he's|she's|it's|that's|there's|we're|they're|you're|you've|i'll|don't|doesn't|didn't|isn't|wasn't|went|goes|gets|got|feels|felt|says|said|makes|helps|comes|takes|works|keeps|wants|needs|thinks|looks|seems|starts|stops|drinks|sleeps|hurts|put|know|think|feel|want|need|like|love|hate)$/

export const lacksVerb = (words: readonly string[]): boolean =>
  !words.some(
    (word) =>
      finite.test(word) ||
      /^(?:sees?|hears?|lies?|takes?|tells?|knows?|asks?|drops?|means|happens|hurt)$/.test(word) ||
      isModal(word) ||
      isPast(word) ||
      (isParticiple(word) && word.endsWith('ed')) ||
      word.endsWith("'m") ||
      word.endsWith("'ll"),
  )

export const labelsOf = (raw: string, clean: string, words: readonly string[], isQuestion: boolean) => ({
  isQuestion,
  isFragment: words.length <= 10 && lacksVerb(words),
  isSmallTalk: words.length < 12 && smallTalk.test(clean),
  isInstruction: instruction.test(clean),
  isHypothetical: hypothetical.test(clean),
  isReported: reportedSpeech.test(clean),
  isHumour: humour.test(raw),
})
