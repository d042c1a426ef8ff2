import { cleanText } from '#engines/language/rules/clean.ts'
import { asksSomething } from '#engines/language/rules/labels.ts'
import { contentStems, shareOf, wordsOf } from '#engines/language/text/words.ts'
import { backchannelWords } from '#engines/language/rules/lexicon/signs.ts'
import { type AnalysisBody, type Behaviour, behaviourSchema } from '#contract/model/analysis.ts'
import { wholeSpan, evidenceOf } from '#engines/language/rules/quotes.ts'
import type { Room, Sentence, Turn } from '#engines/language/rules/types.ts'
import weights from './weights.json' with { type: 'json' }

export const acts = ['question', 'reflection', 'information', 'other'] as const
export type Act = (typeof acts)[number]

/** Set by hand: the training data has single turns, so it cannot show the effect of repeating the previous turn. */
const ECHO_WEIGHT = 3

export function actOf(text: string, previous: string | null, model: LinearModel = weights): Act {
  const shares = probabilities(model, featuresOf(text))
  const echo = previous === null || asks(text) ? 0 : echoOf(text, previous)
  const scored = model.classes.map((name, at) => ({
    act: acts.find((act) => act === name) ?? 'other',
    score: (shares[at] ?? 0) * (name === 'reflection' ? Math.exp(ECHO_WEIGHT * echo) : 1),
  }))
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).act
}

const asks = (text: string): boolean => /\?["'\s]*$/.test(text) || asksSomething(cleanText(text), true, true, !/[.?!]/.test(text))

function echoOf(text: string, previous: string): number {
  const own = contentStems(wordsOf(text))
  return own.size < 2 ? 0 : shareOf(own, contentStems(wordsOf(previous)))
}

export interface LinearModel {
  readonly classes: readonly string[]
  readonly weights: Readonly<Record<string, readonly number[]>>
}

function probabilities(model: LinearModel, features: ReadonlyMap<string, number>): number[] {
  const scores = model.classes.map(() => 0)
  for (const [name, value] of features) {
    const weights = model.weights[name]
    if (weights === undefined) continue
    for (const [at, weight] of weights.entries()) scores[at] = (scores[at] ?? 0) + weight * value
  }
  const highest = Math.max(...scores)
  const raised = scores.map((score) => Math.exp(score - highest))
  const sum = raised.reduce((total, each) => total + each, 0)
  return raised.map((each) => each / sum)
}

/** Words outside this list count as "~", so that the model also works on topics that the training data lacks. */
const common = new Set(
  (
    "i i'm i've i'd i'll me my you you're you've you'd you'll your yourself we we're we've we'll us our let's he she they them it it's that that's this these those there there's " +
    "what what's how who when where which why whether if then than so and but or because as like just really very much more most some any anything something nothing " +
    "is are was were be been being am do does did don't doesn't didn't have has had haven't can could can't couldn't will would won't wouldn't should shall may might must need " +
    'the a an of to in on at by for from with about into up out not no yes yeah okay ok right well oh um mm hmm mm-hmm ' +
    'feel feels feeling felt think thinking thought know sound sounds seem seems say said saying hear hearing heard tell told talk talking talked mean means meant want wants wanted ' +
    'important hard difficult helpful help helps helped good great glad sorry thank thanks hello hi welcome nice sure absolutely exactly congratulations wonderful awesome excellent perfect bye goodbye ' +
    'recommend suggest try start make sure keep common normal people many often usually sometimes research studies information example called based guidelines ' +
    'part side hand other still even though already also again before after today last next time first week one two three ' +
    'on-the-one-hand part-of ready able going trying worried sense idea see understand appreciate hope'
  ).split(' '),
)

const opensAsking =
  /^(?:what|what's|how|who|when|where|which|why|do|does|did|are|is|was|were|have|has|had|can|could|would|will|should|any|tell|ever)$/
const frame =
  /\b(?:(?:it )?sounds? (?:like|as if|as though)|it seems|seems like|i(?:'m| am) hearing|what i hear|i hear (?:you|that)|you(?:'re| are) (?:saying|telling me|wondering|feeling|worried|struggling|hoping|afraid|torn)|so you|and you|but you|you feel|you(?:'ve| have)|you want|you(?:'d| would) like|on (?:the )?one hand|part of you|in other words|if i understand|let me see if)\b/
const advice =
  /\b(?:you (?:could|can|might|should|may|need to|want to make sure|have to)|i(?:'d| would) (?:recommend|suggest|like you to|encourage)|make sure|try (?:to|and|this|it)|it(?:'s| is) (?:important|recommended|best|a good idea|very common|common|normal)|what we know|(?:we|i) (?:can|could|will|'ll) (?:help|give|send|show|go over|talk)|studies|research|people who|many people|a lot of people|most people|this (?:is|means|will)|today we|we(?:'ll| will) talk)\b/
const praise =
  /\b(?:(?:that's|that is|it's) (?:so |very |really )?(?:great|good|awesome|wonderful|fantastic|excellent|amazing|perfect|okay|fine|a (?:great|good|fantastic))|great (?:job|work)|good (?:job|for you|work)|well done|way to go|congratulations|glad to hear|proud of you|thank you|thanks|i appreciate|keep (?:up|it up))\b/
const greeting =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|welcome|nice to (?:see|meet)|bye|goodbye|see you|take care|thank)/

export function featuresOf(text: string): Map<string, number> {
  const clean = cleanText(text)
  const words = wordsOf(clean)
  const plain = words.join(' ')
  const features = new Map<string, number>([['always', 1]])
  const add = (name: string, value = 1): void => void features.set(name, (features.get(name) ?? 0) + value)
  const isUnpunctuated = !/[.?!]/.test(text)

  if (text.includes('?')) add(/\?["'\s]*$/.test(text) ? 'ends with ?' : 'holds ?')
  if (asksSomething(clean, true, true, isUnpunctuated)) add('asks')
  if (asksInside(words)) add('asks inside')
  if (opensAsking.test(withoutLead(words)[0] ?? '')) add('opens asking')
  if (frame.test(plain)) add('frame')
  if (frame.test(plain.slice(0, 40))) add('frame first')
  if (advice.test(plain)) add('advice')
  if (praise.test(plain)) add('praise')
  if (greeting.test(plain)) add('greeting')
  if (words.length <= 6 && words.every((word) => backchannelWords.has(word))) add('backchannel')
  add(`length ${[2, 4, 8, 14, 24, 40].findIndex((most) => words.length <= most)}`)
  const share = (pattern: RegExp): number => words.filter((word) => pattern.test(word)).length / Math.max(words.length, 4)
  add('you', 4 * share(/^you(?:r|'re|'ve|'d|'ll|rself)?$/))
  add('i', 4 * share(/^(?:i|i'm|i've|i'd|i'll|my|me)$/))
  add('we', 4 * share(/^(?:we|we're|we've|we'll|us|our|let's)$/))
  addWords(words, add)
  return features
}

function addWords(words: readonly string[], add: (name: string, value?: number) => void): void {
  const tokens = words.map((word) => (common.has(word) ? word : '~'))
  const weight = 1 / Math.sqrt(Math.max(tokens.length, 1))
  for (const token of new Set(tokens)) if (token !== '~') add(`w ${token}`, 2 * weight)
  for (const pair of new Set(tokens.slice(1).map((token, at) => `${tokens[at]} ${token}`)))
    if (pair !== '~ ~') add(`p ${pair}`, 2 * weight)
  add(`first ${tokens[0] ?? ''}`)
  add(`first two ${tokens.slice(0, 2).join(' ')}`)
  const lead = withoutLead(words)
  add(`lead ${common.has(lead[0] ?? '') ? lead[0] : '~'} ${common.has(lead[1] ?? '') ? lead[1] : '~'}`)
  add(`last two ${tokens.slice(-2).join(' ')}`)
}

const asksInside = (words: readonly string[]): boolean =>
  /\b(?:(?:what|how|why|where|when|who) (?:do|did|does|are|is|was|were|would|could|can|will|about|else|kind|has|have|'s)|(?:do|did|are|were|have|would|could|can|will) you|tell me|is (?:that|it|there) (?:something|anything|a|right|okay|ok)|does that)\b/.test(
    words.slice(-22).join(' '),
  )

const leads = new Set(
  'so and but well okay ok right yeah yes no um mm mm-hmm hmm oh great good now alright all sure i see absolutely'.split(' '),
)

function withoutLead(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => !leads.has(word))
  return from < 0 ? words : words.slice(from)
}

const REACH = 4

export function behavioursOf(room: Room): NonNullable<AnalysisBody['behaviours']> {
  const turns = room.turns
    .filter(({ person }) => person.role === 'therapist')
    .flatMap((turn) =>
      partsOf(turn, saidBefore(room, turn)).map(({ behaviour, sentences }) => ({
        behaviour,
        evidence: evidenceOf(sentences.map(wholeSpan)),
      })),
    )
    .filter(({ evidence }) => evidence.length > 0)
  const counts = Object.fromEntries(
    behaviourSchema.options.map((each) => [each, turns.filter(({ behaviour }) => behaviour === each).length]),
  ) as Record<Behaviour, number>
  const questions = counts.open_question + counts.closed_question
  const reflections = counts.simple_reflection + counts.complex_reflection
  return {
    counts,
    reflections_per_question: questions === 0 ? null : reflections / questions,
    complex_share: reflections === 0 ? null : counts.complex_reflection / reflections,
    open_share: questions === 0 ? null : counts.open_question / questions,
    turns,
  }
}

function partsOf(turn: Turn, before: string | null) {
  const asking = turn.sentences.filter((sentence) => isAsking(sentence, actOf(sentence.raw, before)))
  const rest = turn.sentences.filter((sentence) => !asking.includes(sentence))
  const parts = [
    ...(rest.length > 0 ? [{ act: actOf(textOf(rest), before), sentences: rest }] : []),
    ...(asking.length > 0 ? [{ act: 'question' as Act, sentences: asking }] : []),
  ]
  const telling = parts.filter(({ act }) => act !== 'other')
  const kept = telling.length > 0 ? merged(telling) : parts
  return kept.map(({ act, sentences }) => ({ behaviour: behaviourOf(act, textOf(sentences), before), sentences }))
}

const isAsking = ({ isQuestion }: Sentence, act: Act): boolean => act === 'question' || (isQuestion && act !== 'reflection')

function merged(parts: readonly { act: Act; sentences: readonly Sentence[] }[]) {
  const [first, second] = parts
  if (first?.act !== 'question' || second === undefined) return parts
  const sentences = [...first.sentences, ...second.sentences].toSorted((one, other) => one.index - other.index)
  return [{ act: first.act, sentences }]
}

function saidBefore(room: Room, turn: Turn): string | null {
  const said = room.turns
    .slice(Math.max(0, turn.index - REACH), turn.index)
    .filter(({ person }) => person.role !== 'therapist')
    .flatMap(({ sentences }) => sentences.map(({ raw }) => raw))
  return said.length === 0 ? null : said.join(' ')
}

const textOf = (sentences: readonly Sentence[]): string => sentences.map(({ raw }) => raw).join(' ')

const open =
  /\b(?:what(?!(?:'s| is| was| are)? (?:the date|time|day|your (?:name|age|number|address)))|how(?! (?:many|much|long|often|old|far|big|soon|frequently|recently)\b)|why|tell me|describe|walk me through|in what way|say (?:a bit |some )?more|talk (?:to )?me (?:through|about)|help me understand)\b/i
const bothSides =
  /\bon (?:the )?one hand\b|\bpart of you\b|\band (?:yet|at the same time)\b|\bat the same time\b|, (?:and|but) (?:you|it|that)(?:'re|'s)? also\b|\btorn\b/i

export const questionKind = (text: string): Behaviour =>
  open.test(text.replaceAll('’', "'")) ? 'open_question' : 'closed_question'

export function reflectionKind(text: string, previous: string | null): Behaviour {
  if (previous === null || bothSides.test(text)) return 'complex_reflection'
  return echoOf(text, previous) >= 0.5 ? 'simple_reflection' : 'complex_reflection'
}

function behaviourOf(act: Act, text: string, previous: string | null): Behaviour {
  if (act === 'question') return questionKind(text)
  return act === 'reflection' ? reflectionKind(text, previous) : act
}
