import { mentionsMedication, substanceTopic } from './lexicon/medication.ts'
import { riskKinds, riskTopic } from './lexicon/risk.ts'
import { symptomKinds } from './lexicon/symptoms.ts'
import type { Fact, Room } from './types.ts'
import { cutText } from '#base/cut-text.ts'

interface Topic {
  readonly name: string
  readonly perPerson: boolean
  touched(text: string): boolean
}

const risk = (topic: string) => (text: string) =>
  riskTopic(text) !== null && (riskKinds.find((kind) => kind.topic === topic)?.pattern.test(text) ?? false)
const symptom = (topic: string) => (text: string) =>
  symptomKinds.find((kind) => kind.topic === topic)?.pattern.test(text) ?? false

const topics: readonly Topic[] = [
  { name: 'suicidal thoughts', perPerson: true, touched: (text) => risk('suicidal thoughts')(text) || risk('self-harm')(text) },
  { name: 'self-harm', perPerson: false, touched: risk('self-harm') },
  {
    name: 'harm to others',
    perPerson: false,
    touched: (text) => risk('harm to others')(text) || risk('violence and safety')(text),
  },
  { name: 'sleep', perPerson: false, touched: symptom('sleep') },
  {
    name: 'appetite',
    perPerson: false,
    touched: (text) => symptom('appetite')(text) || /\b(?:eating|eat|eats|meals?)\b/i.test(text),
  },
  { name: 'medication', perPerson: false, touched: mentionsMedication },
  { name: 'substance use', perPerson: false, touched: (text) => substanceTopic(text) !== null },
]

/** One line for topics that never came up: a finding is stated, denied or not assessed, never assumed. */
export function notAssessedLine(
  room: Room,
  facts: readonly Pick<Fact, 'text' | 'topic' | 'person'>[],
): { text: string; topics: string } {
  const work = room.sentences.filter(
    (sentence) => sentence.turn >= room.opening && sentence.turn <= room.closing && !sentence.isInstruction,
  )
  const open = topics.flatMap((topic) => {
    if (!work.some((sentence) => topic.touched(sentence.clean))) return [topic.name]
    if (!topic.perPerson || room.clients.length < 2) return []
    const spoken = new Set(
      facts.filter((fact) => topic.touched(fact.text) || fact.topic === topic.name).map((fact) => fact.person?.id),
    )
    return room.clients.filter((person) => !spoken.has(person.id)).map((person) => `${topic.name} of ${person.name}`)
  })
  const listed = open.length > 0 ? `${open.join(', ')} (not asked); ` : ''
  return {
    text: `Not assessed: ${listed}appearance, affect and orientation (words do not show them).`,
    topics: cutText([...open, 'appearance', 'affect', 'orientation'].join(', '), 200),
  }
}
