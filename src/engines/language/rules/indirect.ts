import { toThirdPerson } from './third-person.ts'
import { wordsOf } from './tokens.ts'
import type { Person } from './types.ts'
import { inflected, isPassingAdverb, isPast, pastOf } from './verbs.ts'

const asksWhat =
  /^(?:.*?[,;] )?((?:what|how|when|where|why|which)(?: [\w'-]+){0,5}?) (do|did|are|were|have|had|can|could|will|would) you (.+)$/i
const asksWhether = /^(?:.*?[,;] )?(do|did|are|were|have|had|can|could|would|will) you (.+)$/i
const asksOfThings =
  /^(?:.*?[,;] )?(is|was|are|were|has|have) (there|it|that|this|anybody|anyone|anything|somebody|someone|something|things|one of you|either of you) (.+)$/i

const asksWhatOfThings = /^(?:.*?[,;] )?((?:what|how|when|where|why)(?: [\w'-]+){0,3}?) does (it|that|this) (\w+)\b(.*)$/i

/** "how much coffee do you have in a day" becomes "how much coffee she has in a day"; null where that would be a guess. */
export function indirectQuestion(body: string, person: Person): string | null {
  if (person.isOneOfSeveral && person.pronouns === null && /\byou/i.test(body)) return null
  if (wordsOf(body).length > 22 || /["?.]/.test(body)) return null
  const lower = body.charAt(0).toLowerCase() + body.slice(1)
  const courteous = /^(?:can|could|may) (?:i|we) (?:ask|talk)(?: you| to you)? about (?:the |your )?([\w' -]{3,30})$/i.exec(lower)
  if (courteous?.[1] && !/\b(?:it|that|this)$/i.test(courteous[1])) return `about ${courteous[1]}`
  const about = /^any (?:other )?[\w', -]{3,44}$/i.exec(lower)
  if (about && !/\b(?:you\w*|i|we|of|that|which|who|come|came)\b/i.test(lower)) return `about ${lower.replace(/^any /, '')}`
  const been = /^how(?:'s| has) ((?:the|your|this|last) [\w' -]{3,24}?) (been|gone)(?:, \p{Lu}?\p{L}+)?$/iu.exec(lower)
  if (been) return turned(`${been[1]} has ${been[2]}`, 'how', person)
  const didThey = /^did (anybody|anyone|it|that|he|she|they) (\w+)\b(.*)$/i.exec(lower)
  const past = didThey ? pastOf(didThey[2] ?? '') : null
  if (didThey && past !== null) return turned(`${didThey[1]} ${past}${didThey[3] ?? ''}`, 'whether', person)
  const thing = asksOfThings.exec(lower)
  if (thing) return turned(`${thing[2]} ${thing[1]} ${thing[3]}`, 'whether', person)
  const takes = asksWhatOfThings.exec(lower)
  if (takes) return turned(`${takes[2]} ${inflected(takes[3] ?? '')}${takes[4] ?? ''}`, takes[1] ?? '', person)
  const what = asksWhat.exec(lower)
  if (what) {
    const said = stated(what[2] ?? '', what[3] ?? '')
    return said === null || /\b(?:do|did|are|is|have)$/.test(what[1] ?? '') ? null : turned(said, what[1] ?? '', person)
  }
  const whether = asksWhether.exec(lower)
  if (!whether) return null
  const said = stated(whether[1] ?? '', whether[2] ?? '')
  return said === null ? null : turned(said, 'whether', person)
}

/** "did", "sleep well" becomes "you slept well". */
function stated(auxiliary: string, rest: string): string | null {
  const aux = auxiliary.toLowerCase()
  if (/\b(?:do|did|are|have) you\b/i.test(rest)) return null
  if (aux === 'do') return `you ${rest}`
  if (aux !== 'did') return `you ${aux} ${rest}`
  const words = rest.split(' ')
  const at = words.findIndex((word) => !isPassingAdverb(word.toLowerCase()) && word.toLowerCase() !== 'ever')
  const past = pastOf((words[at] ?? '').toLowerCase())
  if (past === null || !isPast(past)) return null
  return `you ${[...words.slice(0, at), past, ...words.slice(at + 1)].join(' ')}`
}

function turned(said: string, lead: string, person: Person): string | null {
  if (/\b(?:i|me|my|we|us|our|i'm|i've)\b/i.test(said)) return null
  const text = toThirdPerson(said, person, 'second', true)
  return text === null ? null : `${lead} ${text.trim()}`
}
