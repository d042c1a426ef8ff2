import { factOf } from './facts.ts'
import { numberPattern, numbersIn } from '../text/numbers.ts'
import type { Exchange } from './answers.ts'
import { spanOf, textOf, quoted, questionSpan, wholeSpan } from './quotes.ts'
import { stripped, indirectQuestion } from './questions.ts'
import { isUsable, type SessionView } from './session.ts'
import { toThirdPerson } from './third-person.ts'
import { shareOf, normalise } from '../text/words.ts'
import type { Fact, Sentence, Span, Turn } from './types.ts'

const scale =
  /\b(?:(?:nought|zero|0|one|1) to (?:a |one )?(?:ten|10|hundred|100)|out of (?:ten|10|a hundred|100)|scale|percent|per cent)\b/i
const asksHow =
  /\bhow (?:anxious|low|bad|strong(?:ly)?|confident|important|sure|likely|ready|much|depressed|intense|painful|hard|difficult|motivated|hopeful|stressed|upset|distressed|close|satisfied|safe|willing|angry|sad|happy|tired|worried|scared|afraid|convinced)\b/i
const value = new RegExp(
  `\\b${numberPattern}(?:[ -](?:hundred|thousand))?(?: ?(?:percent|per cent|%|out of (?:ten|10)))?(?:,? (?:maybe|or|to) (?:a |an )?${numberPattern})?`,
  'gi',
)

interface Rating {
  readonly exchange: Exchange
  readonly span: Span
  readonly label: string
}

export function factsOfRatings(view: SessionView, exchanges: readonly Exchange[]): Fact[] {
  const chains: Rating[][] = []
  for (const exchange of exchanges) {
    const rating = ratingOf(view, exchange, chains.at(-1)?.at(-1) ?? null)
    if (!rating) continue
    const home = chains.find((chain) => belongs(chain, rating))
    if (home) home.push(rating)
    else chains.push([rating])
  }
  return chains
    .filter((chain) => chain.some(({ exchange }) => saysScale(exchange.turn) || asksHow.test(exchange.question.body)))
    .map((chain) => chainFact(view, chain))
}

const saysScale = (turn: Turn): boolean => turn.sentences.some((sentence) => scale.test(sentence.clean))

const asksAmount =
  /\bhow (?:long|many|often|old|much (?!do|did|does|is|was|were|are|would|has|have)\w+|much (?:do|did|are|have) you (?:drink|smoke|weigh|use|earn|spend|sleep|have))\b|\bwhat (?:time|day)\b/i

function ratingOf(view: SessionView, exchange: Exchange, last: Rating | null): Rating | null {
  const { question, replies, turn } = exchange
  const reply = replies[0]
  if (!reply || !isUsable(view, question.sentence)) return null
  const isScaled = saysScale(turn) || asksHow.test(question.body)
  const follows = last !== null && turn.index - last.exchange.turn.index <= 2 && (isScaled || question.sentence.words.length <= 7)
  const span = numberIn(reply, isScaled)
  if (!span || (!isScaled && !follows)) return null
  if (asksAmount.test(question.body)) return null
  if (/\b(?:money|cost|owe|owes|pounds|dollars|euros|rent|pay)\b/i.test(question.body)) return null
  if (/^(?:why|would you|what would)\b/i.test(question.body)) return null
  return { exchange, span: valueThatHolds(view, reply, span), label: labelOf(question.body, reply) }
}

function valueThatHolds(view: SessionView, reply: Turn, span: Span): Span {
  const said = numbersIn(textOf(span))
  const [old] = said
  if (old === undefined || said.size !== 1) return span
  let held = span
  for (const sentence of view.room.sentences) {
    if (sentence.turn <= reply.index || sentence.person !== reply.person || sentence.words.length > 24) continue
    const turn = view.room.turns[sentence.turn]?.sentences ?? []
    const near = turn.filter((each) => Math.abs(each.index - sentence.index) <= 1)
    const around = near.map((each) => each.clean).join(' ')
    if (!takesBack.test(around) || !numbersIn(around).has(old)) continue
    const later = [...sentence.raw.matchAll(value)].filter((each) => each[0] !== '' && !numbersIn(each[0]).has(old)).at(-1)
    if (later && /\b(?:more like|rather|really|actually|honest\w*|it's|it is|was|should|make|now)\b/i.test(sentence.clean))
      held = runOf(sentence, later.index, later[0].length)
  }
  return held
}

const takesBack =
  /\b(?:i (?:said|told you|gave|put|called it)|earlier|before)\b.*\b(?:more like|actually|really|honest\w*|not true|wrong|should|rather|lied|make (?:it|that))\b|\b(?:actually|honest\w*|truth)\b.*\bi (?:said|told you|gave|put)\b/i

function numberIn(reply: Turn, isScaled: boolean): Span | null {
  const first = reply.sentences[0]
  if (!first || (!isScaled && first.words.length > 6)) return null
  const lines = reply.sentences.slice(0, 2)
  for (const sentence of lines.toReversed()) {
    const taken = new RegExp(`\\bno,?\\s+(${numberPattern}(?: ?(?:percent|%))?)`, 'i').exec(sentence.raw)
    if (taken?.[1]) return runOf(sentence, taken.index + taken[0].length - taken[1].length, taken[1].length)
  }
  for (const sentence of lines) {
    const match = [...sentence.raw.matchAll(value)].find((each) => each[0] !== '')
    if (match && sentence.words.length <= 14) return runOf(sentence, match.index, match[0].length)
  }
  return null
}

function runOf(sentence: Sentence, at: number, length: number): Span {
  return { sentence, from: sentence.from + at, to: sentence.from + at + length }
}

function belongs(chain: readonly Rating[], rating: Rating): boolean {
  const last = chain.at(-1)
  if (!last || last.exchange.replies[0]?.person !== rating.exchange.replies[0]?.person) return false
  if (rating.exchange.turn.index - last.exchange.turn.index <= 2 && chain.length < 4) return true
  return chain.some((each) => {
    const ours = rated(each)
    return ours.size > 0 && shareOf(ours, rated(rating)) >= 0.5 && ours.size >= 2 === rated(rating).size >= 2
  })
}

function rated(rating: Rating): Set<string> {
  const stems = new Set(rating.exchange.question.sentence.stems)
  for (const moment of ['befor', 'after', 'later', 'today', 'week', 'minut']) stems.delete(moment)
  return stems
}

function labelOf(body: string, reply: Turn): string {
  const text = normalise(body)
    .replace(new RegExp(`^.*?\\b(?:on a scale of|from|on a scale from) ${numberPattern} to (?:a )?${numberPattern},? ?`), '')
    .replace(/,? (?:nought|zero|0|one|1) to (?:a |one )?(?:ten|10|hundred|100)\b/, '')
    .replace(/,? (?:as a percentage|in per ?cent|out of (?:ten|10|a hundred|100))\b/, '')
  const are = /^how (\w+) (are|were) you\b,?\s*(.*)$/.exec(text)
  const turned =
    (are && `how ${are[1]} ${are[3]}`) ??
    text.replace(/^how (\w+) (is|was) (it|that|this)\b/, 'how $1 $3 $2').replace(/^how (\w+) do you (\w+)\b/, 'how $1 you $2')
  if (/^how \w+ (?:did|would|can|could) /.test(turned) || /^how \w+ (?:is|was) /.test(turned)) return ''
  return toThirdPerson(turned.trim(), reply.person, 'second', true)?.trim() ?? ''
}

function withoutScale(span: Span): Span {
  const text = textOf(span)
  const range = '(?:nought|zero|0|one|1) to (?:a |one )?(?:ten|10|hundred|100)'
  const ahead = new RegExp(`^(?:and )?(?:on a scale )?(?:of |from )?${range}, `, 'i').exec(text)?.[0].length ?? 0
  const behind = new RegExp(`,? (?:on a scale )?(?:of |from )?${range}[?.]?$`, 'i').exec(text)?.[0].length ?? 0
  return { ...span, from: span.from + ahead, to: span.to - behind }
}

const fromScale = /,? (?:from )?(?:nought|zero|0|one|1) to (?:a |one )?(?:ten|10|hundred|100)\b/i

function chainFact(view: SessionView, chain: readonly Rating[]): Fact {
  const parts = chain.map(({ exchange, span, label }, order) => {
    const short = stripped(exchange.question.sentence.clean)
    if (label.startsWith('how ')) return `${label} ${quoted(span)}`
    const indirect = indirectQuestion(stripped(exchange.question.sentence.clean).replace(fromScale, ''), span.sentence.person)
    if (indirect !== null && !indirect.startsWith('whether')) return `${indirect} ${quoted(span)}`
    const isShort = order > 0 && short.split(' ').length <= 6
    return `${isShort ? (/\b(?:you|your|i|we)\b/i.test(short) ? quoted(spanOf(exchange.question.sentence)) : short.charAt(0).toLowerCase() + short.slice(1)) : quoted(withoutScale(questionSpan(exchange.question.sentence)))} ${quoted(span)}`
  })
  const [first] = chain
  const person = first?.exchange.replies[0]?.person ?? null
  const range = first?.exchange.turn.sentences
    .map((sentence) => /\b(?:nought|zero|0|one|1) to (?:a |one )?(?:ten|10|hundred|100)\b/i.exec(sentence.raw)?.[0])
    .find((each) => each !== undefined)
  const spans = chain.flatMap(({ exchange, span }) => [wholeSpan(exchange.question.sentence), span])
  const covers = chain.flatMap(({ exchange, span }) => {
    const reply = exchange.replies[0]?.sentences ?? []
    return [
      span.sentence.index,
      ...exchange.turn.sentences.filter((sentence) => scale.test(sentence.clean)).map((sentence) => sentence.index),
      ...(reply.length === 1 ? [reply[0]?.index ?? 0] : []),
    ]
  })
  const named = range === undefined ? '' : ` (${range.toLowerCase()})`
  const inScale = exchangeSpan(first, range)
  return factOf({
    kind: 'score',
    topic: 'ratings',
    text: `${person?.name ?? 'Client'} rated${named}: ${parts.join('; ')}`,
    spans: inScale ? [...spans, inScale] : spans,
    person,
    must: true,
    score: 3.5,
    covers,
  })
}

function exchangeSpan(rating: Rating | undefined, range: string | undefined): Span | null {
  if (!rating || range === undefined) return null
  const sentence = rating.exchange.turn.sentences.find((each) => each.raw.includes(range))
  return sentence && sentence !== rating.exchange.question.sentence ? wholeSpan(sentence) : null
}
