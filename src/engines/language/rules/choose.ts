import type { NoteStyle } from '#contract/model/template.ts'
import { faultOf, quotesOf } from './facts.ts'
import { drugIn } from './lexicon/topics.ts'
import { numbersIn } from '../text/numbers.ts'
import { contentStems, shareOf, wordsOf } from '../text/words.ts'
import type { Fact, FactKind } from './types.ts'
import { remember } from '../text/remember.ts'

const shares: Readonly<Record<string, number>> = { said: 0.62, noted: 0.24, plan: 0.4, done: 0.12 }
const TOPIC_LIMIT = 4

function partOf(kind: FactKind): keyof typeof shares {
  if (kind === 'reflection') return 'noted'
  if (kind === 'plan' || kind === 'next') return 'plan'
  return kind === 'intervention' || kind === 'response' ? 'done' : 'said'
}

export function wordBudget(
  spoken: number,
  minutes: number | null,
  isIntake: boolean,
  length: NoteStyle['length'] = 'usual',
): number {
  const factor = { short: 0.5, usual: 1, full: 1.5 }[length]
  const cap = isIntake ? 900 : 450
  const byTime = minutes === null ? cap : Math.max(60, Math.floor((minutes / 10) * 130))
  return Math.max(40, Math.round(Math.min(cap, byTime, spoken * (isIntake ? 0.55 : 0.5)) * factor))
}

export function choose(facts: readonly Fact[], names: readonly string[], budget: number) {
  const faulty: { fact: Fact; reason: string }[] = []
  const sound = facts.filter((fact) => {
    const reason = faultOf(fact, names)
    if (reason !== null) faulty.push({ fact, reason })
    return reason === null
  })
  const ranked = sound.toSorted(
    (left, right) =>
      Number(right.must) - Number(left.must) ||
      urgency(right) - urgency(left) ||
      right.score - left.score ||
      left.at - right.at ||
      (left.text < right.text ? -1 : 1),
  )
  const chosen: Fact[] = []
  const left: Fact[] = []
  const used = new Set<number>()
  const spent: Record<string, number> = { said: 0, noted: 0, plan: 0, done: 0 }
  const topics = new Map<string, number>()
  let total = 0
  for (const fact of ranked) {
    const twin = twinOf(fact, chosen, used)
    if (twin !== null) {
      if (twin >= 0) chosen[twin] = withEvidence(chosen[twin] ?? fact, fact)
      continue
    }
    const swallowed = chosen.findIndex((other) => isInside(other, fact) || isRepeatedIn(other, fact))
    if (swallowed >= 0) {
      const other = chosen[swallowed] ?? fact
      total += wordsOf(fact.text).length - wordsOf(other.text).length
      chosen[swallowed] = withEvidence(fact, other)
      continue
    }
    const length = wordsOf(fact.text).length
    const part = partOf(fact.kind)
    const key = `${part}:${fact.topic}`
    const isPressing = fact.must && fact.safety && fact.kind === 'finding'
    const limit = fact.must ? budget * (isPressing ? 1.25 : 1.08) : budget
    const isFull =
      total + length > limit ||
      (!isPressing && (spent[part] ?? 0) + length > budget * (shares[part] ?? 1) * (fact.must ? 1.2 : 1))
    if (isFull || (!fact.must && (fact.score < 1.1 || (topics.get(key) ?? 0) >= (fact.topic === 'other' ? 6 : TOPIC_LIMIT)))) {
      left.push(fact)
      continue
    }
    chosen.push(fact)
    total += length
    spent[part] = (spent[part] ?? 0) + length
    topics.set(key, (topics.get(key) ?? 0) + 1)
    if (fact.kind !== 'intervention') for (const index of fact.covers) used.add(index)
  }
  fillUp(left, chosen, used, budget - total)
  return { chosen, left: left.filter((fact) => !chosen.includes(fact)), faulty }
}

function fillUp(left: readonly Fact[], chosen: Fact[], used: Set<number>, open: number): void {
  let room = open
  for (const fact of left) {
    const length = wordsOf(fact.text).length
    if (length > room || (!fact.must && fact.score < 1.1) || twinOf(fact, chosen, used) !== null || partOf(fact.kind) === 'done')
      continue
    chosen.push(fact)
    room -= length
    for (const index of fact.covers) used.add(index)
  }
}

function urgency(fact: Fact): number {
  const part = partOf(fact.kind)
  return fact.must && part === 'plan' ? 2 : fact.must && part === 'noted' ? 1 : 0
}

/** The index of a chosen fact that says the same; -1 if other chosen facts use most of the fact's own sentences; or null. */
function twinOf(fact: Fact, chosen: readonly Fact[], used: ReadonlySet<number>): number | null {
  if (partOf(fact.kind) === 'done') return null
  const isOwn = fact.spans.some((span) => span.sentence.person === fact.person || fact.person === null)
  if (fact.finding?.state !== 'denied' && isOwn && isSaidAlready(fact, used)) return -1
  const at = chosen.findIndex((other) => saysSame(fact, other))
  return at < 0 ? null : at
}

function saysSame(fact: Fact, other: Fact): boolean {
  const part = partOf(other.kind)
  if (part === 'done' || (other.person !== fact.person && other.kind === fact.kind && fact.kind !== 'plan')) return false
  const numbers = numbersIn(fact.text)
  const isRated = other.kind === 'score' && fact.kind !== 'plan' && numbers.size >= 2 && near(other, fact)
  if (isRated && [...numbers].every((number) => numbersIn(other.text).has(number))) return true
  if (fact.kind === 'plan' && other.kind === 'plan' && near(other, fact) && isAnsweredIn(fact, other)) return true
  if (isQuotedIn(fact, other)) return true
  const [stems, others] = [bodyStems(fact), bodyStems(other)]
  const [smaller, larger] = stems.size <= others.size ? [stems, others] : [others, stems]
  const isShared = smaller.size >= 2 && shareOf(smaller, larger) > 0.7 && stems.size <= others.size + 2
  return isShared && (part === partOf(fact.kind) || near(other, fact))
}

const quotesIn = remember(({ text }: Fact): readonly string[] => quotesOf(text))

function isQuotedIn(fact: Fact, other: Fact): boolean {
  const quotes = quotesIn(fact)
  if (quotes.length === 0 || fact.finding !== null || fact.kind === 'plan' || fact.kind === 'reflection') return false
  return (
    other.person === fact.person &&
    quotes.every((quote) => quotesIn(other).some((each) => each.includes(quote))) &&
    near(other, fact)
  )
}

function isRepeatedIn(other: Fact, fact: Fact): boolean {
  if (other.kind === 'score' || !isQuotedIn(other, fact)) return false
  const drug = drugIn(other.text)
  return drug === null || fact.text.toLowerCase().includes(drug.toLowerCase())
}

function isAnsweredIn(fact: Fact, other: Fact): boolean {
  const answer = / answered ("[^]*)$/.exec(fact.text)?.[1]
  if (answer === undefined) return false
  const stems = contentStems(wordsOf(answer))
  const numbers = [...numbersIn(answer)]
  return stems.size > 0 && shareOf(stems, bodyStems(other)) === 1 && numbers.every((number) => numbersIn(other.text).has(number))
}

function isInside(other: Fact, fact: Fact): boolean {
  const stems = bodyStems(other)
  if (fact.kind !== 'plan' && fact.kind !== 'client') return false
  if (other.kind === 'client' && (other.text.includes('"') || Math.abs(other.at - fact.at) > 4)) return false
  return (
    (other.kind === 'plan' || other.kind === 'client') &&
    other.kind === fact.kind &&
    !other.safety &&
    stems.size > 0 &&
    near(other, fact) &&
    shareOf(stems, bodyStems(fact)) === 1
  )
}

function isSaidAlready(fact: Fact, used: ReadonlySet<number>): boolean {
  const own = fact.spans.filter((span) => span.sentence.person === fact.person || fact.person === null)
  const lengthOf = (index: number): number => own.find((span) => span.sentence.index === index)?.sentence.words.length ?? 0
  const places = [...new Set(own.map((span) => span.sentence.index))]
  const all = places.reduce((sum, index) => sum + lengthOf(index), 0)
  const known = places.filter((index) => used.has(index)).reduce((sum, index) => sum + lengthOf(index), 0)
  return known >= all * 0.7
}

const near = (one: Fact, other: Fact): boolean => Math.abs(one.at - other.at) <= 12

const notAboutContent =
  /\b(?:asked|answered|said|confirmed|rated|noted|denies|deny|therapist|agreed|account|added|appointment|plan)\b/gi

const bodyStems = remember((fact: Fact): Set<string> => {
  const text = fact.text.replace(notAboutContent, ' ').replace(new RegExp(`\\b${fact.person?.name ?? '-'}\\b`, 'g'), ' ')
  return contentStems(wordsOf(text))
})

function withEvidence(kept: Fact, other: Fact): Fact {
  if (kept.spans.length >= 6) return kept
  return { ...kept, spans: [...kept.spans, ...other.spans.slice(0, 2)] }
}
