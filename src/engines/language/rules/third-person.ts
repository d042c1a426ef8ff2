import contractions from './lexicon/contractions.json' with { type: 'json' }
import { inflected, isBaseVerb, isModal, isParticiple, isPassingAdverb, isPast, isTenseUnknown } from '../text/verbs.ts'
import { they, type Pronouns } from './people.ts'
import type { Person } from './types.ts'

type Token = ReturnType<typeof tokensOf>[number]

interface State {
  readonly person: Person
  readonly first: boolean
  /** If null, the rewording repeats the name, but can use "their" and "themselves". */
  readonly pronouns: Pronouns | null
  mentions: number
  inflects: boolean
  failed: boolean
}

export type Voice = 'first' | 'second'

const otherPeople =
  /\b(?:mum|mom|mother|dad|father|sister|brother|son|daughter|husband|wife|partner|boss|friends?|people|parents|kids|children|colleagues?|everyone|everybody|somebody|someone|anybody|nobody)\b/i

const calendarName =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter|I|I'm|I've|I'll|I'd|PHQ|GAD|GP|NHS|English|Doctor|Dr)$/

function isAlone(clean: string, name: string): boolean {
  const named = [...clean.matchAll(/(?<=[\p{Ll},;:] )\p{Lu}\p{Ll}+/gu)].map((match) => match[0])
  return (
    named.every((each) => each === name || calendarName.test(each)) &&
    !otherPeople.test(clean) &&
    !/\b(?:they|them|their|theirs|he|she|him|her|his|he's|she's|they're|they've|who|team|family|mates|lads|others)\b/i.test(clean)
  )
}

export function toThirdPerson(clean: string, person: Person, voice: Voice, named: boolean): string | null {
  const tokens = tokensOf(clean)
  const state: State = {
    person,
    pronouns: person.pronouns ?? (!person.isOneOfSeveral && isAlone(clean, person.name) ? they : null),
    first: voice === 'first',
    mentions: named ? 1 : 0,
    inflects: false,
    failed: false,
  }
  const output: string[] = []
  for (const [at, token] of tokens.entries()) {
    output.push(token.before, wordFor(token, tokens, at, state))
    if (state.failed) return null
  }
  const text = output.join('')
  if (state.inflects && dangles(tokens, voice)) return null
  if (state.pronouns === null && state.mentions > 4) return null
  return text
}

const tokensOf = (text: string) =>
  [...text.matchAll(/([^\p{L}\p{N}']*)([\p{L}\p{N}'-]*)/gu)]
    .filter((match) => match[0] !== '')
    .map((match) => ({ before: match[1] ?? '', word: match[2] ?? '', lower: (match[2] ?? '').toLowerCase() }))

const secondPerson = /^(?:you|your|yours|you're|you've|we|us|our|ours|we're|we've|let's)$/

function wordFor(token: Token, tokens: readonly Token[], at: number, state: State): string {
  const stem = state.first ? 'i' : 'you'
  const { lower } = token
  if (state.first ? secondPerson.test(lower) : /^(?:i|me|my|mine|we|us|our|i'm|i've|i'd|i'll|let's)$/.test(lower)) {
    state.failed = true
    return token.word
  }
  if (lower === stem)
    return state.first || isSubject(tokens, at)
      ? subjectAnd(state, tokens, at)
      : isObject(tokens, at)
        ? object(state)
        : fail(state)
  if (!state.first && lower.startsWith('you') && /^(?:both|two|all|guys)$/.test(tokens[at + 1]?.lower ?? '')) return fail(state)
  if (lower === `${stem}'m` || lower === `${stem}'re`) return `${subject(state)} ${isPlural(state) ? 'are' : 'is'}`
  if (lower === `${stem}'ve`) return `${subject(state)} ${isPlural(state) ? 'have' : 'has'}`
  if (lower === `${stem}'ll`) return `${subject(state)} will`
  if (lower === `${stem}'d`) return hadOrWould(state, tokens, at)
  const [my, mine, myself] = state.first ? ['my', 'mine', 'myself'] : ['your', 'yours', 'yourself']
  if (lower === my) return possessive(state)
  if (lower === mine) return state.pronouns?.absolute ?? fail(state)
  if (lower === myself) return state.pronouns?.reflexive ?? 'themselves'
  if (state.first && lower === 'me') return object(state)
  return wordAfterSubject(token, tokens, at, state, stem) ?? contractionOf(token.word, tokens, at)
}

function fail(state: State): string {
  state.failed = true
  return ''
}

function subject(state: State): string {
  const known = state.pronouns
  const text = state.mentions === 0 ? state.person.name : (known?.subject ?? state.person.name)
  state.mentions += 1
  return text
}

/** Singular "they" takes a plural verb; a name does not. */
const isPlural = (state: State): boolean => state.pronouns?.subject === 'they' && state.mentions > 1

function object(state: State): string {
  const known = state.pronouns
  state.mentions += 1
  return known && state.mentions > 1 ? known.object : state.person.name
}

function possessive(state: State): string {
  const known = state.pronouns
  state.mentions += 1
  if (known && state.mentions > 1) return known.possessive
  return state.mentions > 1 && !state.person.isOneOfSeveral ? 'their' : `${state.person.name}'s`
}

function subjectAnd(state: State, tokens: readonly Token[], at: number): string {
  const verb = verbAfter(tokens, at)
  return verb === null || !knownVerb(verb) || isTenseUnknown(verb) ? fail(state) : subject(state)
}

function verbAfter(tokens: readonly Token[], at: number): string | null {
  for (let next = at + 1; next <= at + 4; next += 1) {
    const word = tokens[next]?.lower
    if (word === undefined || word === '') return null
    if (next > at + 1 && /[.;:]/.test(tokens[next]?.before ?? '')) return null
    if (!isPassingAdverb(word)) return word
  }
  return null
}

const auxiliary =
  /^(?:am|was|were|have|had|do|did|don't|didn't|haven't|hadn't|wasn't|are|need|would|wouldn't|aren't|weren't|used|text)$/

const knownVerb = (verb: string): boolean =>
  isPast(verb) || isModal(verb) || isBaseVerb(verb) || auxiliary.test(verb) || isTenseUnknown(verb)

function isObject(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.lower ?? ''
  const next = tokens[at + 1]
  if (before === 'of' && /^(?:each|one|both|all|two|some|none|neither|either|any)$/.test(tokens[at - 2]?.lower ?? ''))
    return false
  if (at === 0 || /^(?:and|but|or|so|that|when|if|till|until|because|while|since|what|how|where|as|than)$/.test(before))
    return false
  return !/^(?:both|two|all|guys|lot|each)$/.test(next?.lower ?? '')
}

const beforeObject =
  /^(?:to|for|with|at|of|from|on|by|about|than|like|told|asked|gave|let|made|make|help|helped|see|saw|call|called|next|tell|ask|give|beside|without|frighten\w*|worr\w*|upset\w*|hurt\w*)$/

function isSubject(tokens: readonly Token[], at: number): boolean {
  const verb = verbAfter(tokens, at)
  const before = tokens[at - 1]?.lower ?? ''
  if (
    /^(?:like|than|as)$/.test(before) &&
    verb !== null &&
    (/^(?:had|have|are|were|do|did|was|said)$/.test(verb) || isModal(verb))
  )
    return true
  if (beforeObject.test(before)) return false
  return verb !== null && knownVerb(verb)
}

function wordAfterSubject(token: Token, tokens: readonly Token[], at: number, state: State, stem: string): string | null {
  let back = at - 1
  while (back >= 0 && isPassingAdverb(tokens[back]?.lower ?? '') && !/[.;:]/.test(tokens[back + 1]?.before ?? '')) back -= 1
  if (tokens[back]?.lower !== stem || isPassingAdverb(token.lower)) return null
  if (!state.first && !isSubject(tokens, back)) return null
  const plural = isPlural(state)
  const { lower } = token
  if (lower === 'am' || lower === 'are') return plural ? 'are' : 'is'
  if (lower === "aren't") return plural ? 'are not' : 'is not'
  if (lower === 'was' || lower === 'were') return plural ? 'were' : 'was'
  if (lower === "wasn't" || lower === "weren't") return plural ? 'were not' : 'was not'
  if (lower === "don't") return plural ? 'do not' : 'does not'
  if (lower === "haven't") return plural ? 'have not' : 'has not'
  if (isPast(lower) || isModal(lower) || /^(?:did|didn't|had|hadn't|would|wouldn't|used)$/.test(lower))
    return contractionOf(token.word, tokens, at)
  if (lower === 'have') return plural ? 'have' : 'has'
  state.inflects = true
  return plural ? lower : inflected(lower)
}

function hadOrWould(state: State, tokens: readonly Token[], at: number): string {
  const next = tokens.slice(at + 1).find((token) => !isPassingAdverb(token.lower))?.lower ?? ''
  if (/^(?:come|become|run|put|let|cut)$/.test(next)) return fail(state)
  if (next === 'better' || (isParticiple(next) && !isBaseVerb(next))) return `${subject(state)} had`
  return isBaseVerb(next) || /^(?:be|have|rather|need)$/.test(next)
    ? state.first
      ? fail(state)
      : `${subject(state)} would`
    : fail(state)
}

const writtenOut = new Map(Object.entries(contractions))

function contractionOf(word: string, tokens: readonly { readonly lower: string }[], at: number): string {
  const lower = word.toLowerCase()
  const known = writtenOut.get(lower)
  if (known !== undefined) return /^\p{Lu}/u.test(word) ? known.charAt(0).toUpperCase() + known.slice(1) : known
  const match = /^(it|he|she|that|there|what|who)'s$/i.exec(word)
  if (!match) return word
  const next = tokens.slice(at + 1).find((token) => !isPassingAdverb(token.lower))?.lower ?? ''
  if (/^(?:been|had|got|become)$/.test(next)) return `${match[1]} has`
  return isParticiple(next) ? word : `${match[1]} is`
}

/** "I come home and sleep": true if a bare verb after a word such as "and" leaves open whether its subject is the same. */
function dangles(tokens: readonly Token[], voice: Voice): boolean {
  const stem = voice === 'first' ? 'i' : 'you'
  return tokens.some((token, at) => {
    if (!/^(?:and|or|but|then)$/.test(token.lower)) return false
    const rest = tokens.slice(at + 1).filter((next) => !isPassingAdverb(next.lower))
    const next = rest[0]?.lower ?? ''
    const earlier = tokens.slice(0, at).findLastIndex((each) => isBaseVerb(each.lower))
    const lead = tokens[earlier - 1]?.lower ?? ''
    if (lead === 'to' || isModal(lead)) return false
    return next !== stem && (isBaseVerb(next) || isTenseUnknown(next) || next === 'have' || next === 'do')
  })
}

export function pronounClashes(clean: string, person: Person): boolean {
  const subject = person.pronouns?.subject
  if (subject === 'she') return /\b(?:she|her|hers|herself|she's|she'd|she'll)\b/i.test(clean)
  if (subject === 'he') return /\b(?:he|him|his|himself|he's|he'd|he'll)\b/i.test(clean)
  if (subject === 'they') return /\b(?:they|them|their|they're|they've|they'd)\b/i.test(clean) || otherPeople.test(clean)
  return false
}
