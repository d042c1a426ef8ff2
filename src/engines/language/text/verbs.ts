import verbs from './verbs.json' with { type: 'json' }

const irregular = Object.entries(verbs.irregular).map(([base, forms]) => {
  const [pasts = '', participles = ''] = forms.split(' ')
  return { base, pasts: pasts.split('/'), participles: participles.split('/') }
})

/** Words that can be present or past ("I put", "I lay"), so that the form after "she" is unclear: "put" or "puts". */
const tenseUnknown = new Set([...irregular.flatMap(({ base, pasts }) => (pasts.includes(base) ? [base] : [])), 'lay'])

/** "Bit" is left out, because it is mostly a noun. */
const irregularPast = new Set(irregular.flatMap(({ pasts }) => pasts.filter((past) => !tenseUnknown.has(past) && past !== 'bit')))

const participles = new Set(irregular.flatMap(({ participles }) => participles))

export const baseOfForm: ReadonlyMap<string, string> = new Map(
  irregular.flatMap(({ base, pasts, participles }) =>
    [...pasts, ...participles].flatMap((form) => (form === base || form === 'lay' ? [] : [[form, base] as const])),
  ),
)

const baseVerbs = new Set(verbs.base.join(' ').split(' '))

export const isBaseVerb = (word: string): boolean => baseVerbs.has(word)

export const isTenseUnknown = (word: string): boolean => tenseUnknown.has(word)

export const isIrregularPast = (word: string): boolean => irregularPast.has(word)

const noPast = /^(?:need|feed|hundred|bed|red|shed|kindred|naked|wicked|indeed|speed|seed|weed|breed|greed)$/

export const isPast = (word: string): boolean => irregularPast.has(word) || (/[a-z]{2}ed$/.test(word) && !noPast.test(word))

export const isModal = (word: string): boolean =>
  /^(?:can|could|will|shall|should|may|might|must|cannot|can't|couldn't|won't|shouldn't|mustn't)$/.test(word)

export function inflected(base: string): string {
  if (base === 'have') return 'has'
  if (base.endsWith('do') || base === 'go') return `${base}es`
  if (/(?:s|x|z|ch|sh)$/.test(base)) return `${base}es`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`
  return `${base}s`
}

const doubling = new Set('quit admit begin forget prefer regret'.split(' '))

/** Before "-ed" and "-ing", "stop" becomes "stopp", and "panic" becomes "panick". */
function stemOf(base: string): string {
  const isShort = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base)
  if (isShort || doubling.has(base)) return `${base}${base.slice(-1)}`
  return base.endsWith('ic') ? `${base}k` : base
}

export function gerund(base: string): string {
  if (base === 'lie' || base === 'die') return `${base.slice(0, -2)}ying`
  if (/[^eoy]e$/.test(base)) return `${base.slice(0, -1)}ing`
  return `${stemOf(base)}ing`
}

const pastByBase = new Map(irregular.map(({ base, pasts }) => [base, pasts[0] ?? base]))

export function pastOf(base: string): string | null {
  const known = pastByBase.get(base)
  if (known !== undefined) return known
  if (!isBaseVerb(base)) return null
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  return `${stemOf(base)}ed`
}

export const isParticiple = (word: string): boolean => participles.has(word) || /[a-z]{2}ed$/.test(word)

export const isPassingAdverb = (word: string): boolean =>
  /^(?:just|really|always|never|also|still|only|even|actually|often|sometimes|usually|now|then|kind|sort|of|both|already|almost|nearly|hardly|barely|probably|finally|honestly|definitely|completely|literally|mostly|normally|generally|suddenly|simply|constantly|totally|recently|not|to)$/.test(
    word,
  ) && word !== 'to'
