import type { Omission, Statement } from '#contract/model/note.ts'
import { symptomKinds, mentionsMedication, substanceTopic, riskTopic, riskKinds } from './lexicon/topics.ts'
import { changeTalk, planWords } from './lexicon/signs.ts'
import { quoted, spanOf, evidenceOf } from './quotes.ts'
import { omissionOf, statementOf } from './statements.ts'
import { hasStale, type SessionView } from './session.ts'
import { contentStems, shareOf, wordsOf } from '../text/words.ts'
import type { Fact, Sentence, Room } from './types.ts'
import { cutText } from '#base/cut-text.ts'

const MAX_OTHERS = 12
const asksBack =
  /^(?:(?:so|and|but|well|okay|sorry|wait|um|oh|yeah|no)[, ]+)*(?:what|how|when|where|which|who|why)(?: \w+){0,3}? (?:did|do|does|was|is|were|are|should|would|can|could|have|has) (?:you|i|it|that|we|they|he|she|the|my|your|this)\b/i

export function omissionsOf(view: SessionView, chosen: readonly Fact[], left: readonly Fact[]): Omission[] {
  const cited = new Set(chosen.flatMap((fact) => [...fact.covers, ...fact.spans.map((span) => span.sentence.index)]))
  const inDraft = contentStems(wordsOf(chosen.map((fact) => fact.text).join(' ')))
  const omissions: Omission[] = []
  const mentioned = new Set<number>()
  const ranked = left.filter((fact) => fact.score >= 0.9 || fact.must)
  for (const sentence of view.room.sentences) {
    if (cited.has(sentence.index)) continue
    const kind = kindOf(view, sentence)
    if (kind === null || (kind !== 'risk' && sentence.stems.size > 0 && shareOf(sentence.stems, inDraft) >= 0.99)) continue
    mentioned.add(sentence.index)
    const name = sentence.person.role === 'therapist' ? 'Therapist' : sentence.person.name
    omissions.push(omissionOf(kind, `${name} said ${quoted(spanOf(sentence))}`, evidenceOf([spanOf(sentence)])))
  }
  const others = ranked.filter(
    (fact) =>
      fact.kind !== 'intervention' &&
      ![...fact.spans].every((span) => cited.has(span.sentence.index) || mentioned.has(span.sentence.index)),
  )
  for (const { kind, text, spans } of others.slice(0, MAX_OTHERS)) {
    const listed = kind === 'plan' ? 'homework' : kind === 'medication' ? 'medication' : 'other'
    omissions.push(omissionOf(listed, text, evidenceOf(spans)))
  }
  const seen = new Set<string>()
  return omissions.filter((each) => !seen.has(each.id) && seen.add(each.id)).slice(0, 500)
}

function kindOf(view: SessionView, sentence: Sentence): Omission['kind'] | null {
  if (sentence.turn < view.room.opening) return riskTopic(sentence.raw) && sentence.person.role !== 'therapist' ? 'risk' : null
  const isClient = sentence.person.role !== 'therapist'
  if (isClient && riskTopic(sentence.raw) !== null) return 'risk'
  if (
    sentence.isInstruction ||
    sentence.isQuestion ||
    asksBack.test(sentence.clean) ||
    sentence.isHumour ||
    sentence.turn > view.room.closing ||
    hasStale(view, sentence) ||
    sentence.words.length < 3
  )
    return null
  if (isClient && mentionsMedication(sentence.raw)) return 'medication'
  if (sentence.isReported && /\byou(?:'re|'ve)?\b/i.test(sentence.clean)) return null
  if (isClient && substanceTopic(sentence.clean) !== null) return 'substance'
  if (isClient && changeTalk.test(sentence.clean) && !sentence.isHypothetical && sentence.words.length >= 5) return 'goal'
  if (sentence.turn >= view.planFrom && planWords.test(sentence.clean) && sentence.words.length >= 5 && !sentence.isSmallTalk)
    return 'homework'
  return null
}

const risk =
  (...topics: readonly string[]) =>
  (text: string): boolean =>
    riskTopic(text) !== null && riskKinds.some(({ topic, pattern }) => topics.includes(topic) && pattern.test(text))
const symptom = (topic: string, text: string): boolean =>
  symptomKinds.some((kind) => kind.topic === topic && kind.pattern.test(text))

const topics: readonly (readonly [name: string, isTouched: (text: string) => boolean])[] = [
  ['suicidal thoughts', risk('suicidal thoughts', 'self-harm')],
  ['self-harm', risk('self-harm')],
  ['harm to others', risk('harm to others', 'violence and safety')],
  ['sleep', (text) => symptom('sleep', text)],
  ['appetite', (text) => symptom('appetite', text) || /\b(?:eating|eat|eats|meals?)\b/i.test(text)],
  ['medication', mentionsMedication],
  ['substance use', (text) => substanceTopic(text) !== null],
]
const ofEachClient = 'suicidal thoughts'

export function notAssessedLine(room: Room, facts: readonly Pick<Fact, 'text' | 'topic' | 'person'>[]): Statement {
  const work = room.sentences.filter(
    (sentence) => sentence.turn >= room.opening && sentence.turn <= room.closing && !sentence.isInstruction,
  )
  const open = topics.flatMap(([name, isTouched]) => {
    if (!work.some((sentence) => isTouched(sentence.clean))) return [name]
    if (name !== ofEachClient || room.clients.length < 2) return []
    const spoken = new Set(facts.filter(({ text, topic }) => isTouched(text) || topic === name).map(({ person }) => person?.id))
    return room.clients.filter((person) => !spoken.has(person.id)).map((person) => `${name} of ${person.name}`)
  })
  const listed = open.length > 0 ? `${open.join(', ')} (not asked); ` : ''
  return statementOf(`Not assessed: ${listed}appearance, affect and orientation (words do not show them).`, {
    finding: { topic: cutText([...open, 'appearance', 'affect', 'orientation'].join(', '), 200), state: 'not_assessed' },
  })
}
