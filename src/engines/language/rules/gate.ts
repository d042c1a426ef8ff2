import { withoutOpeners, withoutOwnTrail, withoutTrail } from './clean.ts'
import { medicationChange, mentionsMedication, riskTopic } from './lexicon/topics.ts'
import { address, hypothetical, oath, reportedSpeech, unsure } from './lexicon/signs.ts'
import { pronounClashes, toThirdPerson } from './third-person.ts'
import { wordsOf } from '../text/words.ts'
import type { Person } from './types.ts'

const opensOwn = /^(?:i|i'm|i've|my)\b/i
const timeOpener =
  /^(?:(?:last (?:night|week|month|year|weekend|time)|yesterday|today|tonight|this (?:week|morning|month|year|weekend)|(?:on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?: (?:morning|night|evening|afternoon))?|since (?:the|my|then|last|we)[^,]{0,30},|since then|when i [^,]{2,40}?,?|(?:every|most|some) (?:day|night|morning|evening|week|time)s?|at (?:night|work|home|school|first|the moment|weekends)|in the (?:morning|evening|end|night|afternoon|summer|winter)s?|(?:now|lately|recently|usually|sometimes|mostly|these days|for (?:the )?(?:last |past )?(?:\w+ )?(?:weeks?|months?|years?|days?)|after (?:that|work|lunch|dinner|the \w+)|before (?:that|work|the \w+|bed))),? )(?:i|i'm|i've|my)\b/i
const dangling =
  /\band then (?:my|the|his|her) \w+$|\b(?:that|it|so|and|the|of|to|but|because|or|a|an|with|for|like|if|when|then|is|was|just|how much|how many|how|what|where|why|who|which|about)[.,]?$/i
const splice = /,\s*(?:i|she|he|it|they|we)(?:'\w+)?\s/i
const restart =
  /\b(\p{L}+),? (?:i|she|he|they) \1\b|\b(i|she|he|they),? (?:\w+,? )?\2 \2\b|[-–—]\s|\.\.\.|…|\b(?:does|do|is|was|has|did) (?:he|she|they)(?:'s|'ve|'re)\b/iu

export function rewordFirstPerson(clean: string, person: Person, named = false): string | null {
  const body = withoutOwnTrail(withoutOpeners(clean))
  const words = wordsOf(body)
  if (!opensOwn.test(body) && !timeOpener.test(body)) return null
  if (words.length < 4 || words.length > 24 || body.includes('?') || body.includes('"')) return null
  if (/\b(?:you|your|yours|yourself|you're|you've|we|us|our|ours|we're|we've|we'd|let's)\b/i.test(body)) return null
  if (hypothetical.test(body) || reportedSpeech.test(body) || oath.test(body) || address.test(body) || unsure.test(body))
    return null
  if (
    /^i (?:don't think so|thought|just thought)\b/i.test(body) ||
    /\bi think\b(?! (?:i|my|he|she|it|they|that|the|we)\b)/i.test(body)
  )
    return null
  if (restart.test(body) || splice.test(body) || dangling.test(body)) return null
  if (riskTopic(body) !== null || (mentionsMedication(body) && medicationChange.test(body))) return null
  if (pronounClashes(body, person)) return null
  const text = toThirdPerson(lowerStart(body), person, 'first', named)
  return text === null ? null : text.trim()
}

export function rewordSecondPerson(clean: string, person: Person, named = false): string | null {
  const body = withoutTrail(withoutOpeners(clean))
  const words = wordsOf(body)
  if (words.length < 2 || words.length > 45 || body.includes('?') || body.includes('"')) return null
  if (oath.test(body) || restart.test(body) || (dangling.test(body) && !/\bit$/i.test(body))) return null
  if (pronounClashes(body, person) && /\byou/i.test(body)) return null
  return toThirdPerson(lowerStart(body), person, 'second', named)?.trim() ?? null
}

function lowerStart(text: string): string {
  const first = /^\S+/.exec(text)?.[0] ?? ''
  return /^(?:I|I'm|I've|I'll|I'd|[A-Z]{2,}.*)$/.test(first) || !commonStart.test(first)
    ? text
    : first.charAt(0).toLowerCase() + text.slice(1)
}

const commonStart =
  /^(?:the|a|an|my|your|you|you're|you've|you'll|you'd|it|it's|he|she|they|there|that|this|these|those|when|since|after|before|last|at|in|on|for|from|most|every|some|now|lately|recently|usually|sometimes|mostly|two|one|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|flat|first|second|third|another|other|each|any|having|hot|cold|sleep|sleeping|lunch|text|tea|no|not|dry|so|around|about|as|having|being|if|between|up|down|only|more|less|still|today|yesterday|tonight|keep|going|what|both|under|and|but|because|by|with|without|all|once|twice|half|nothing|nobody|somebody|never|always|sad|mad|low|flat|tired|\w+ing|\w+ly)$/i
