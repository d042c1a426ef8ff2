import { symptomTopic, mentionsMedication, substanceTopic, riskTopic } from './lexicon/topics.ts'
import { changeTalk, functionWords, goalWords, historyWords, relationWords, strengthWords, smallTalk } from './lexicon/signs.ts'
import { numbersIn } from '../text/numbers.ts'
import { shareOf } from '../text/words.ts'
import type { Room, Sentence } from './types.ts'

export const topicOf = (text: string): string =>
  riskTopic(text) ??
  (mentionsMedication(text) ? 'medication' : null) ??
  substanceTopic(text) ??
  symptomTopic(text) ??
  (goalWords.test(text) || changeTalk.test(text) ? 'goals' : null) ??
  (historyWords.test(text) ? 'history' : null) ??
  (/\b(?:supportive|rely on|faith|pray\w*|proud|good at)\b/i.test(text) ? 'strengths' : null) ??
  (relationWords.test(text) ? 'relationships' : null) ??
  (functionWords.test(text) ? 'function' : null) ??
  (strengthWords.test(text) ? 'strengths' : null) ??
  'other'

export function interestOf(text: string, stems: ReadonlySet<string>, weights: TermWeights): number {
  let score = 0
  if (riskTopic(text) !== null) score += 3
  if (symptomTopic(text) !== null) score += 0.9
  if (mentionsMedication(text)) score += 0.8
  if (substanceTopic(text) !== null) score += 0.6
  if (numbersIn(text).size > 0) score += 0.5
  if (goalWords.test(text) || changeTalk.test(text)) score += 0.4
  if (historyWords.test(text)) score += 0.4
  if (relationWords.test(text)) score += 0.3
  if (functionWords.test(text)) score += 0.3
  if (strengthWords.test(text)) score += 0.4
  if (smallTalk.test(text) && stems.size < 5) score -= 1.5
  return score + 0.45 * weights.mean(stems)
}

export type TermWeights = ReturnType<typeof termWeights>

export function termWeights(room: Room) {
  const counts = new Map<string, number>()
  for (const sentence of room.sentences) for (const stem of sentence.stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return {
    mean(stems: ReadonlySet<string>): number {
      if (stems.size === 0) return 0
      let sum = 0
      for (const stem of stems) sum += Math.log(counts.get(stem) ?? 1)
      return Math.min(2, sum / stems.size)
    },
  }
}

export function uptakeOf(room: Room, sentence: Sentence): number {
  let seen = 0
  let best = 0
  for (let at = sentence.turn + 1; at < room.turns.length && seen < 4; at += 1) {
    const turn = room.turns[at]
    if (turn?.person.role !== 'therapist') continue
    for (const each of turn.sentences) {
      if ((each.isQuestion && each.words.length < 8) || seen >= 4) continue
      seen += 1
      best = Math.max(best, shareOf(sentence.stems, each.stems))
    }
  }
  return best
}
