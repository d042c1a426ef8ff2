import { type Numeral, numeralsIn } from '../text/numbers.ts'
import { isFrame, keysOf } from './lexicon/words.ts'
import type { Clause, Tense } from './types.ts'
import { isContent, isMark, piecesOf } from '../text/words.ts'
import { isIrregularPast } from '../text/verbs.ts'
import { remember } from '../text/remember.ts'

const breaks = new Set(
  'but because so although though while whereas cos cause except unless until beyond besides apart'.split(' '),
)
const joinsClause =
  /^(?:i|he|she|they|we|you|it|there|then|now|that|is|was|were|has|had|have|will|would|can|could|does|did|not|no|never|my|his|her|their|nobody|nothing|says|said|wakes|goes|gets)$/
const negators = new Set('not no never nobody nothing none neither nor without hardly barely unable'.split(' '))
const opensBelief = new Set('think believe say feel know suppose want guess see'.split(' '))
const hedge =
  /\b(?:might|may(?! (?:the|be able))|maybe|perhaps|possibly|probably|considering|wondering|wonder(?:s|ed)? (?:if|about|whether)|think(?:ing|s)? about|thought about|not sure|unsure|do not know (?:if|yet|whether)|nearly|almost|could|tempted|hop(?:e|es|ing) to|would like to|might as well|undecided|not decided|unlikely|likely|uncertain|considered|contemplat\w+|toying|idea of|possible|possibility|seems? to|suppose)\b/i
const supposed =
  /\b(?:if (?!i am honest|you ask|i remember)(?:i|you|we|he|she|they|it|there|somebody|someone|the|that|\w+ (?:is|was|gets|goes|comes|can))|as if|what if|would(?! like| you| say|n't say)|imagin\w+|pretend)\b/i
const remote =
  /\b(?:used to|years? ago|decades? ago|as a (?:kid|child|teenager|boy|girl)|when i was|when (?:he|she|they) (?:was|were) (?:a |at |in )?(?:\w+teen|\w+|young)|in the past|back (?:then|in)|growing up|in \d{4}|previous(?:ly)?|former(?:ly)?|past|history of|until (?:january|february|march|april|may|june|july|august|september|october|november|december|last|i|he|she|they)|no longer|not any ?more|any ?more)\b/i

const pastMonth =
  /\b(?:was|were)\b.*\bin (?:january|february|march|april|june|july|august|september|october|november|december)\b|\bin (?:january|february|march|april|june|july|august|september|october|november|december)\b.*\b(?:was|were)\b/

export type DoersIn = (clauses: readonly (readonly string[])[]) => readonly (readonly (readonly string[])[])[]

export function clausesOf(text: string, doersIn: DoersIn) {
  const parts = cut(piecesOf(text))
  const runs = parts.map(({ words }) => words)
  const doers = doersIn(runs)
  return runs.map((words, index) => {
    const joined = words.join(' ')
    const negated = negatedIn(runs, index)
    const tokens = words.map((word, at) => ({
      word,
      keys: keysOf(word),
      isContent: isContent(word),
      /** A content word that is not one of the usual words of notes, so the word should come from the session. */
      isTelling: isContent(word) && !isFrame(word),
      isNegated: negated.has(at),
      tense: tenseOf(words, at),
      clause: index,
      isAfterPerson: isAfterPerson(doers[index] ?? [], at),
      doers: doers[index]?.[at] ?? [],
      /** As in "was given": the subject of the verb is not the one who acts. */
      isPassive: isPassive(words, at),
    }))
    return {
      index,
      text: joined,
      after: parts[index]?.after ?? '',
      tokens,
      words,
      isHedged: hedge.test(joined),
      isHypothetical: supposed.test(joined),
      isRemote: remote.test(joined) || pastMonth.test(joined),
    }
  })
}

interface Part {
  readonly after: string
  readonly words: string[]
}

const leadsOn =
  /^(?:and|that|if|when|what|how|where|which|because|than|think|say|know|mean|guess|like|as|do|am|can|could|would|will|should|have|did|until|before|after|since|while|whether|why|who)$/

function cut(pieces: readonly string[]): Part[] {
  const parts: Part[] = [{ after: '', words: [] }]
  for (const [at, piece] of pieces.entries()) {
    const next = pieces[at + 1] ?? ''
    const run = parts.at(-1)?.words ?? []
    const opens =
      isMark(piece) ||
      (breaks.has(piece) && run.length > 0) ||
      (piece === 'and' && (joinsClause.test(next) || isPast(next))) ||
      (piece === 'i' && run.length > 2 && run.at(-1) !== 'not' && !leadsOn.test(run.at(-1) ?? ''))
    const isKept = !isMark(piece) && !(piece === 'and' && opens)
    if (opens && run.length > 0) parts.push({ after: piece, words: [] })
    if (isKept) parts.at(-1)?.words.push(piece)
  }
  return parts.filter(({ words }) => words.length > 0)
}

const isAfterPerson = (doers: readonly (readonly string[])[], at: number): boolean =>
  at > 0 && doers[at - 1] !== undefined && doers[at]?.join() !== doers[at - 1]?.join()

const isPast = (word: string): boolean => isIrregularPast(word) || /[^e]ed$/.test(word)

const leadsToFuture =
  /\b(?:will|going to|shall|plans? to|intends? to|agreed to|client to)(?: (?:not|also|then|still|now|probably|first|only|just|never|again))?$/

function tenseOf(words: readonly string[], at: number): Tense {
  const word = words[at] ?? ''
  const before = words.slice(Math.max(0, at - 5), at)
  const near = before.join(' ')
  if (leadsToFuture.test(near) && !/(?<!^(?:b|st)?r|^s)ing$/.test(word) && !isPast(word)) return 'future'
  if (at === 2 && words[1] === 'to' && !/^(?:not|how|and|able|going|used|want|wants|due|according|back|up)$/.test(words[0] ?? ''))
    return 'future'
  if (/\b(?:did(?: not| n't)?|used to)(?: \w+)?$/.test(near)) return 'past'
  if (isPast(word)) return 'past'
  if (/(?:^| )(?:i|we|you|they)$/.test(near) || (/[^s]s$/.test(word) && word.length > 3)) return 'present'
  return null
}

const feelings =
  /^(?:scared|tired|worried|frightened|bored|annoyed|excited|relieved|exhausted|married|ashamed|embarrassed|interested|terrified|stressed)$/

function isPassive(words: readonly string[], at: number): boolean {
  const near = words.slice(Math.max(0, at - 4), at).join(' ')
  if (feelings.test(words[at] ?? '')) return false
  return isParticiple(words[at] ?? '') && /\b(?:was|were|been|is|are|be|being|get|gets|got)(?: \w+){0,3}$/.test(near)
}

const isParticiple = (word: string): boolean => isPast(word) || /(?:own|en|ung|ought|aught)$/.test(word)

function negatedIn(runs: readonly (readonly string[])[], index: number): Set<number> {
  const words = runs[index] ?? []
  const reached = new Set<number>()
  for (const [at, word] of words.entries()) {
    if (!(negators.has(word) || isEnd(words, at)) || isIdle(words, at)) continue
    const ahead = reachFrom(words, at)
    if (isObject(words, at)) reached.add(at - 1)
    for (const place of ahead) reached.add(place)
    if (word !== 'without' && ahead.every((place) => empty.test(words[place] ?? '')))
      for (let place = opensCondition(words, at); place < at; place += 1) reached.add(place)
  }
  const tooMuch = /^(.*?) (?:is|was|felt|feels) too (?:much|hard|big|long|far|soon|early|late)$/.exec(words.join(' '))?.[1]
  if (tooMuch !== undefined) for (let place = 0; place < tooMuch.split(' ').length; place += 1) reached.add(place)
  const next = runs[index + 1]
  if (next && !words.some((word) => negators.has(word) || /^(?:i|he|she|they|we|you)$/.test(word)) && pointsBack(next))
    for (const at of words.keys()) reached.add(at)
  return reached
}

const opensCondition = (words: readonly string[], at: number): number =>
  words.slice(0, at).findLastIndex((word) => /^(?:if|when|unless|because)$/.test(word)) + 1

/** "The phone thing, I'm not doing that": the clause negates the one before it. */
const pointsBack = (words: readonly string[]): boolean =>
  /^i (?:am|will|do|can|would|did) not (?:do|doing|going to do|doing|want|did) (?:that|it|those|them)$|^i (?:do|did|can) not$/.test(
    words.join(' '),
  )

function isEnd(words: readonly string[], at: number): boolean {
  const isUp = words[at] === 'up' && /^(?:gave|give|given|giving)$/.test(words[at - 1] ?? '')
  return (
    (isUp || /^(?:stop|stops|stopped|quit)$/.test(words[at] ?? '')) &&
    (words[at + 1] ?? '').endsWith('ing') &&
    words[at - 1] !== 'not'
  )
}

const empty =
  /^(?:it|that|this|them|so|to|at|all|any|anymore|more|either|too|me|him|her|you|i|we|they|do|did|does|done|doing|have|has|be|been|yet|really|actually)$/

function isObject(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  const verb = /^(?:told|tells?|said|says?|knows?|knew|has|had|asked|asks?|sees?|saw|trusts?|trusted|did|does)$/.test(
    words[at - 1] ?? '',
  )
  return verb && (/^no(?:body|thing|ne)$/.test(word) || (word === 'no' && words[at + 1] === 'one'))
}

const isTime = (word: string): boolean => /^(?:week|month|year|winter|summer|spring|autumn|night|time|\w+day)s?$/.test(word)

function reachFrom(words: readonly string[], at: number): number[] {
  const reach: number[] = []
  let met = 0
  for (let place = at + 1; place < words.length && reach.length < 9; place += 1) {
    const word = words[place] ?? ''
    if (/^(?:since|until|till|when|while|before|after|if|than|as)$/.test(word) && reach.length > 0) break
    if (words[at] === 'without' && word === 'and') break
    if (/^(?:last|this|next)$/.test(word) && isTime(words[place + 1] ?? '')) break
    if (
      /^(?:what|how|where|why|whether|which)$/.test(word) &&
      (reach.length > 0 || /^no(?:thing|body|ne)$/.test(words[at] ?? ''))
    )
      break
    if (/^(?:i|he|she|they|we|it)$/.test(word) && met > 0 && !reach.some((each) => opensBelief.has(words[each] ?? ''))) break
    reach.push(place)
    if (isContent(word)) met += 1
  }
  return reach
}

function isIdle(words: readonly string[], at: number): boolean {
  const ahead = words.slice(at, at + 4).join(' ')
  const before = words[at - 1] ?? ''
  return (
    /^not (?:only|just|bad|that bad)\b|^no (?:tell a lie|sorry|wait|actually|hang on|make)\b|^no (?:wonder|problem|doubt|matter)\b|^not (?:help but|stop|wait)\b/.test(
      ahead,
    ) ||
    before === 'why' ||
    (words[at] === 'no' && /^(?:i|we|he|she|they|it|that|not|never|just|yeah|you)$/.test(words[at + 1] ?? '')) ||
    (words[at] === 'not' && at > 0 && at + 2 === words.length && /^(?:it|you|they|he|she|we|i)$/.test(words[at + 1] ?? ''))
  )
}

export const numbersOf = remember(({ words }: Clause): readonly Numeral[] => numeralsIn(words))
