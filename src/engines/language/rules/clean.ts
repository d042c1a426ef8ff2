const keepDoubled = new Set('very no had that really so never yes yeah far bye'.split(' '))

export function cleanText(raw: string): string {
  let text = raw
    .replaceAll('’', "'")
    .replace(/\[[^\]]*\]|\([^)]*\)/g, ' ')
    .replace(/\s+/g, ' ')
  text = joinedParts(text)
  text = text.replace(/,\s*(?:um+|uh+|uhm+|er+m*|hm+)\s*,/gi, ' ')
  text = text.replace(/(^|[\s,])(?:um+|uh+|uhm+|erm+|hm+|mm+)(?=[\s,.?!…-]|$)[,…]?/gi, '$1')
  text = text.replace(/(^|(?<!\b(?:the|an|this|that|our|your))[\s,])er+m*(?=[\s,.?!…-]|$)[,…]?/gi, '$1')
  text = text.replace(/,\s*(?:you know|i mean|like|sort of thing)\s*,/gi, ' ')
  text = text.replace(/\b(\p{L}{1,3})-\s+(?=\1)/giu, '')
  text = text.replace(/\bI,?\s+(?=I(?:'|\s))/g, '')
  text = collapseRepeats(text.replace(/\s+/g, ' ').replace(/\s+([,.?!;:])/g, '$1'))
  text = text
    .replace(/,(\s*,)+/g, ',')
    .replace(/,\s*([.?!])/g, '$1')
    .replace(/^[\s,]+/, '')
  return spellOut(text).replace(/\s+/g, ' ').trim()
}

const joinedParts = (text: string): string =>
  text
    .replace(/\b(\p{L}+) (n't|'s|'re|'ve|'ll|'d|'m)\b/giu, '$1$2')
    .replace(/\b(gon|wan|got|kin) (na|ta|da)\b/gi, '$1$2')
    .replace(/\b(?:lem me|lemme)\b/gi, 'let me')
    .replace(/\b(?:gim me|gimme)\b/gi, 'give me')
    .replace(/\b(?!so\b)(\p{L}+)-(?=\1\b)/giu, '')
    .replace(/\s+([,.?!;:])/g, '$1')

const spellOut = (text: string): string =>
  text
    .replace(/\bgonna\b/gi, 'going to')
    .replace(/\bwanna\b/gi, 'want to')
    .replace(/\bgotta\b/gi, 'got to')
    .replace(/\bkinda\b/gi, 'kind of')
    .replace(/\b'?cause\b/gi, 'because')

function collapseRepeats(text: string): string {
  let result = text
  for (let length = 4; length >= 1; length -= 1) {
    const run = `([\\p{L}\\p{N}']+(?:[ ][\\p{L}\\p{N}']+){${length - 1}})`
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}'])${run}(?:[,\\s-]+\\1)+(?![\\p{L}\\p{N}'])`, 'giu')
    result = result.replace(pattern, (whole: string, first: string) => {
      if (length === 1 && (keepDoubled.has(first.toLowerCase()) || /\d/.test(first))) return whole
      return first
    })
  }
  return result
}

const openers =
  /^(?:(?:so|well|and|but|oh|yeah|yes|okay|ok|right|ugh|anyway|honestly|look|god|hm|ah|now then|i mean|you know|no)\s*[,.]\s*)+/i
const bareOpeners = /^(?:(?:so|and|well|okay|yeah|oh|but)\s+)+/i

export const withoutOpeners = (text: string): string =>
  text.replace(openers, '').replace(bareOpeners, '').replace(openers, '').trim()

const trails = /(?:[,\s]+(?:okay|ok|right|yeah|all right|you know|you see|i mean))*[.!?,\s]*$/i

/** In a client's words, the "okay" in "I'm doing okay" is content, but the one in "I did it, okay" only ends the turn. */
const ownTrails = /(?:,\s*(?:okay|ok|right|all right)|[,\s]+(?:yeah|you know|you see|i mean))*[.!?,\s]*$/i

export const withoutOwnTrail = (text: string): string => text.replace(ownTrails, '')

export const withoutTrail = (text: string): string => text.replace(trails, '')

const properNames =
  /\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|april|june|july|august|september|october|november|december|christmas|easter)(s?)\b/g

/** Restores capitals, for example of names and weekdays, because some recognizers write only lowercase. */
export function restoreCapitals(text: string, names: readonly string[]): string {
  let result = text.replace(properNames, (_, day: string, plural: string) => day.charAt(0).toUpperCase() + day.slice(1) + plural)
  result = result.replace(/\b(gp|cbt|emdr|dbt|adhd|ptsd|ocd|aa)\b/g, (short: string) => short.toUpperCase())
  result = result.replace(/\bi\b(?!')/g, 'I')
  for (const name of names) {
    if (/^\p{Lu}/u.test(name)) result = result.replace(new RegExp(`\\b${escapePattern(name.toLowerCase())}\\b`, 'g'), name)
  }
  return result
}

export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
