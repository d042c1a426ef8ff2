import { baseOfForm, isIrregularPast } from './verbs.ts'

export function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/[’‘ʼ]/g, "'").replaceAll(/[“”„]/g, '"')
}

const bare: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'dont:do not,didnt:did not,doesnt:does not,cant:can not,cannot:can not,wont:will not,isnt:is not,arent:are not,wasnt:was not,werent:were not,havent:have not,hasnt:has not,hadnt:had not,couldnt:could not,wouldnt:would not,shouldnt:should not,aint:is not,' +
    "im:i am,ive:i have,thats:that is,its:it is,theyre:they are,theyve:they have,weve:we have,youre:you are,youve:you have,hes:he is,shes:she is,theres:there is,whats:what is,hows:how is,gonna:going to,wanna:want to,can't:can not,won't:will not,shan't:shall not,ain't:is not,let's:let us"
  )
    .split(',')
    .map((pair) => pair.split(':') as [string, string]),
)

const pattern = /[\p{L}\p{N}]+(?:['.:,-](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*%?|[.,;:!?()–—…"]/gu

export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  const found = plain(text).match(pattern) ?? []
  for (const [at, raw] of found.entries()) {
    const word = raw.toLowerCase()
    if (word === 'ill' && isFutureIll(found[at - 1], found[at + 1])) pieces.push('i', 'will')
    else if (/^\p{L}+'d$/u.test(word) && isHad(found[at + 1])) pieces.push(word.slice(0, -2), 'had')
    else pieces.push(...expanded(word))
  }
  return pieces
}

/** "He'd let them", "she'd gone": "had", not "would". */
function isHad(next: string | undefined): boolean {
  const word = next?.toLowerCase() ?? ''
  return (
    isIrregularPast(word) ||
    /^(?:been|gone|done|let|put|cut|hurt|taken|given|seen|eaten|written|spoken|broken|fallen|forgotten|driven|better|never|already)$|[^e]ed$/.test(
      word,
    )
  )
}

function isFutureIll(before: string | undefined, after: string | undefined): boolean {
  if (after === undefined || /^[.,;!?]|^(?:and|or|but|since|with|at|in|from|for|health)$/i.test(after)) return false
  return (
    before === undefined ||
    !/^(?:am|is|are|was|were|be|been|feel|feels|felt|feeling|very|so|really|too|mentally|seriously|terminally|get|got|getting|fell|fall|the)$/i.test(
      before,
    )
  )
}

function expanded(word: string): string[] {
  const known = bare[word]
  if (known !== undefined) return known.split(' ')
  if (word.endsWith("n't")) return [word.slice(0, -3), 'not']
  const tail = /^(.+)'(m|re|ve|ll|d)$/.exec(word)
  if (tail) return [tail[1] ?? '', { m: 'am', re: 'are', ve: 'have', ll: 'will', d: 'would' }[tail[2] as 'm'] ?? '']
  const is = /^(he|she|it|that|there|what|who|where|how|here|i)'s$/.exec(word)
  if (is) return [is[1] ?? '', 'is']
  const owner = word.replace(/'s?$/, '')
  return /^\p{L}+(?:-\p{L}+)+$/u.test(owner) ? owner.split('-') : [owner]
}

const stems = new Map<string, string>()

/** A light stemmer that also handles irregular verbs: "slept" matches "sleeping", "parties" matches "party". */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size > 20_000) stems.clear()
  const stem = stemmed(baseForms.get(word) ?? word)
  stems.set(word, stem)
  return stem
}

function stemmed(word: string): string {
  let stem = word
  if (/\d/.test(stem) || stem.length < 4) return stem
  stem = stem.replace(/(?<=..)ies$/, 'y').replace(/(?<=..)ied$/, 'y')
  stem = stem.replace(/(?<=...)(?:ings?|edly|ed|es|ly)$/, '').replace(/([^s])s$/, '$1')
  stem = stem.replace(/(?<=....)(?:ations?|ation|ments?|ness)$/, '').replace(/([bdgklmnprt])\1$/, '$1')
  stem = stem.replace(/(?<=..)e$/, '')
  return stem.replace(/(?<=..)i$/, 'y')
}

/** Words too common to carry a topic. */
const commonWords = new Set(
  (
    'a an the and or but so if then than that this these those it its he she they them his her hers their i me my mine you ' +
    'your yours we us our is am are was were be been being do does did done have has had having will would can could shall ' +
    'should may might must of to in on at by for from with as into about over up down out off not no yes yeah okay ok right ' +
    'well oh um uh er hmm just really very quite kind sort like know mean get got go goes going went what which who whom how ' +
    'when where why there here all any some too also only even again still now much many more most such own same because ' +
    'until till while thing things said say says saying tell told think thinks thinking thought feel feels felt every one ' +
    'bit lot'
  ).split(' '),
)

/** Words too common to prove a statement. */
const functionWords = new Set([
  ...commonWords,
  ...(
    'him theirs myself yourself himself herself themselves themself ought since though although nor none never yep yup nope ' +
    'erm mm whose other another ones each both few less least per via within without between against towards toward upon ' +
    'onto during before after above below under through across along around near want wants wanted try tries tried keep ' +
    'keeps kept let lets make makes made take takes took give gives gave come comes came put puts use uses used seem seems ' +
    'become became happen happened happens need needs look looks something anything nothing everything someone anyone ' +
    'somebody anybody nobody everybody everyone else rather perhaps maybe yet already always ever sometimes often usually ' +
    'almost nearly enough able unable back away together alone otherwise however therefore please thank thanks sorry hello ' +
    'hi bye god actually basically honestly literally anyway thats mg pm'
  ).split(' '),
])

export function isContent(word: string): boolean {
  return !functionWords.has(word) && /^\p{L}{2,}/u.test(word)
}

export function normalise(text: string): string {
  return plain(text).toLowerCase()
}

export function wordsOf(text: string): string[] {
  return normalise(text).match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []
}

/** Contractions of pronouns and auxiliaries: "I'm", "what's", "don't". */
const contraction = /^(?:i|you|he|she|it|we|they|that|there|what|who|here|how|where|let)'(?:m|s|re|ve|ll|d)$|n't$/

export function isContentWord(word: string): boolean {
  return !commonWords.has(word) && !contraction.test(word) && (word.length > 2 || /^\d+$/.test(word))
}

export function contentStems(words: readonly string[]): Set<string> {
  const stems = new Set<string>()
  for (const word of words) {
    for (const part of word.split('-')) if (isContentWord(part)) stems.add(stemOf(part))
  }
  return stems
}

/** Share of `inner` that is also in `outer`; 0 for an empty `inner`. */
export function shareOf(inner: ReadonlySet<string>, outer: ReadonlySet<string>): number {
  if (inner.size === 0) return 0
  let shared = 0
  for (const stem of inner) if (outer.has(stem)) shared += 1
  return shared / inner.size
}

export function isMark(piece: string): boolean {
  return /^[.,;:!?()–—…"]$/.test(piece)
}

export function runOf(text: string): string[] {
  return (
    plain(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? []
  )
}

/** Forms that neither the endings nor the irregular verbs explain. */
const otherForms =
  'is:be are:be am:be has:have doing:do going:go lay:lie lying:lie lies:lie losing:lose rising:rise died:die dying:die using:use used:use uses:use children:child women:woman men:man feet:foot wives:wife knives:knife ' +
  'mice:mouse laughter:laugh death:die dead:die deaths:die loss:lose losses:lose choice:choose gift:give belief:believe beliefs:believe sleepless:sleep'
const baseForms: ReadonlyMap<string, string> = new Map([
  ...baseOfForm,
  ...otherForms.split(' ').map((pair) => pair.split(':') as [string, string]),
])
