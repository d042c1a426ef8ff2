import { baseOfForm, isIrregularPast } from './verbs.ts'
import words from './words.json' with { type: 'json' }

export const plain = (text: string): string => text.normalize('NFKC').replaceAll(/[’‘ʼ]/g, "'").replaceAll(/[“”„]/g, '"')

const bare = new Map(Object.entries(words.contractions))

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

const afterHad =
  /^(?:been|gone|done|let|put|cut|hurt|taken|given|seen|eaten|written|spoken|broken|fallen|forgotten|driven|better|never|already)$|[^e]ed$/

/** In "he'd let them" and "she'd gone", "'d" means "had", not "would". */
function isHad(next: string | undefined): boolean {
  const word = next?.toLowerCase() ?? ''
  return isIrregularPast(word) || afterHad.test(word)
}

const beforeSick =
  /^(?:am|is|are|was|were|be|been|feel|feels|felt|feeling|very|so|really|too|mentally|seriously|terminally|get|got|getting|fell|fall|the)$/i

function isFutureIll(before: string | undefined, after: string | undefined): boolean {
  if (after === undefined || /^[.,;!?]|^(?:and|or|but|since|with|at|in|from|for|health)$/i.test(after)) return false
  return before === undefined || !beforeSick.test(before)
}

function expanded(word: string): string[] {
  const known = bare.get(word)
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

const commonWords = new Set(words.common.join(' ').split(' '))

const functionWords = new Set([...commonWords, ...words.function.join(' ').split(' ')])

export const isContent = (word: string): boolean => !functionWords.has(word) && /^\p{L}{2,}/u.test(word)

export const normalise = (text: string): string => plain(text).toLowerCase()

export const wordsOf = (text: string): string[] => normalise(text).match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []

const contraction = /^(?:i|you|he|she|it|we|they|that|there|what|who|here|how|where|let)'(?:m|s|re|ve|ll|d)$|n't$/

export const isContentWord = (word: string): boolean =>
  !commonWords.has(word) && !contraction.test(word) && (word.length > 2 || /^\d+$/.test(word))

export const contentStems = (words: readonly string[]): Set<string> =>
  new Set(words.flatMap((word) => word.split('-').filter(isContentWord).map(stemOf)))

export const stemsIn = (text: string): Set<string> => contentStems(text.toLowerCase().split(/[^\p{L}\p{N}'-]+/u))

export function shareOf(inner: ReadonlySet<string>, outer: ReadonlySet<string>): number {
  if (inner.size === 0) return 0
  let shared = 0
  for (const stem of inner) if (outer.has(stem)) shared += 1
  return shared / inner.size
}

export const isMark = (piece: string): boolean => /^[.,;:!?()–—…"]$/.test(piece)

export const runOf = (text: string): string[] =>
  plain(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? []

const baseForms: ReadonlyMap<string, string> = new Map([...baseOfForm, ...Object.entries(words.forms)])
