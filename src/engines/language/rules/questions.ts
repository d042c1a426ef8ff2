import { riskTopic, symptomTopic, mentionsMedication, substanceTopic, withdrawalWords } from './lexicon/topics.ts'
import { isNumberWord } from '../text/numbers.ts'
import { toThirdPerson } from './third-person.ts'
import { gerund, isBaseVerb, isParticiple, inflected, isPassingAdverb, isPast, pastOf } from '../text/verbs.ts'
import type { Person, Sentence, Turn } from './types.ts'
import { wordsOf } from '../text/words.ts'

const tailQuestion = /^(?:or|and) [\w' -]{2,30}\??$|^(?:anything (?:like that|else)|is that right|any of (?:that|those|it))\b/i
const notAsking =
  /\b(?:do you mind|would you mind|any questions for me|does that (?:make sense|sound)|did you know|do you (?:remember|think|see|know)|is that (?:okay|ok|all right|alright|right|fair)|shall we|shall i|can i ask|may i|would you (?:like|want|be|do|try)|could (?:we|you)|can (?:we|you)|how about|are you (?:up for|okay|ok|ready)|is it (?:okay|ok)|you know|right\?|isn't it|doesn't it|aren't you|okay\?|will you)\b/i
const yesNo =
  /^(?:(?:have|has|had|do|does|did|are|is|was|were|will|would|can|could)(?:n't)?\b|any\b|anything\b|anyone\b|anybody\b|ever\b)/i

export type Question = NonNullable<ReturnType<typeof questionOf>>

export function questionOf(turn: Turn) {
  const asked = turn.sentences.filter((sentence) => sentence.isQuestion && !sentence.isInstruction)
  const last = asked.at(-1)
  if (!last) return null
  const earlier = asked.at(-2)
  const sentence = earlier && earlier.index === last.index - 1 && tailQuestion.test(stripped(last.clean)) ? earlier : last
  const body = stripped(sentence.clean)
  return {
    sentence,
    body,
    isYesNo: yesNo.test(body) || /(?:^|[,;] )(?:have|did|do|are|was|were|is|has) (?:you|there|it|anybody|anyone)\b/i.test(body),
    isEitherOr: isEitherOr(body),
    isNegative:
      /^(?:you're not|you are not|you haven't|you don't|you've not|you didn't|not|no|never|haven't you|isn't|aren't you|don't you|you wouldn't)\b/i.test(
        body,
      ),
    isCourtesy: notAsking.test(body) && !riskTopic(body),
    subject: subjectOf(sentence),
  }
}

export const stripped = (clean: string): string =>
  clean
    .replace(/^(?:(?:so|and|but|okay|ok|well|right|now|then|yeah|yes|no|thanks|thank you|mm|oh|good|great)[, ]+)+/i, '')
    .replace(/[?.!\s]+$/, '')
    .trim()

function isEitherOr(body: string): boolean {
  if (!/\bor\b/i.test(body) || /\b(?:any|anything|ever|thoughts)\b/i.test(body)) return false
  return (
    /^(?:is|was|were|are) (?:it|that|this|they)\b|^(?:when you say .*, )?is that\b|,? or (?:something else|on purpose|not)\b|, is (?:that|it)\b/i.test(
      body,
    ) || !/^(?:have|do|did|are|were|has)\b/i.test(body)
  )
}

const noSubject = /^(?:what|why|who|which|when|where|how|any|or|then|by|after|before|until|since)\b/i

function subjectOf(sentence: Sentence): string | null {
  const body = stripped(sentence.clean)
    .replace(/,? (?:any (?:different|better|worse)|now|then|this time|these days)$/i, '')
    .replace(/^(?:what about|how about|how(?:'s| is| are| was)) /i, '')
    .replace(/^([\w' -]{3,24}), how(?:'s| is| has| are| have) (?:it|that|this|they|things)(?: been| going)?$/i, '$1')
  if (sentence.words.length > 6 || !sentence.isFragment || noSubject.test(body)) return null
  if (/,/.test(body) || (body.split(' ').some(isNumberWord) && !/\b(?:day|week|night|one)\b/i.test(body))) return null
  const noun = body.replace(/^(?:the|your|this|that|in the|at|on the|with the|with) /i, '')
  return noun === '' || /^(?:now|then|and|you|me|after|ready|okay|really|else|yes|no)$/i.test(noun) ? null : noun
}

const ofIntent =
  /\bplans?\b|\bact(?:ed|ing)? on (?:it|that|them|those)\b|\bprepar(?:e|ed|ing|ations?)\b|\b(?:a|any) ways?\b|\bhow you(?:'d| would) do it\b|\bway that went\b|\bmeans\b|\bmethod\b|\bintent/i
const asksOfIntent =
  /^any|^(?:did|do|have|had) you (?:ever )?(?:have|had|made?|act(?:ed)?|prepared?|do|done|thought (?:of|about) (?:a way|ways|how))\b/i

export function findingTopic(body: string): string | null {
  const risk = riskTopic(body)
  if (risk) return risk
  const substance = substanceTopic(body)
  if (withdrawalWords.test(body)) return substance ?? 'withdrawal and driving'
  if (ofIntent.test(body) && asksOfIntent.test(body)) return 'plan or intent'
  if (/\b(?:made|make) an attempt\b|\battempted\b/i.test(body)) return 'suicidal thoughts'
  if (substance) return substance
  if (mentionsMedication(body)) return 'medication'
  return symptomTopic(body)
}

export function askedPhrase(question: Question, person: Person): string | null {
  const body = lastClause(question.body)
  const phrase = phraseOf(body)
  if (phrase === null) return null
  const cut = phrase
    .replace(/,? or (?:do|does|did|are|is|was|were|can) (?:you|it|that|there|they)\b.*$/i, '')
    .replace(/,? (?:or|and) (?:anything|something|stuff|things) like that\b(?: that)?/gi, '')
    .replace(/,? (?:at all|lately|or anything|or something|(?:that )?i should know about|then|of that kind|or|and)$/i, '')
  if (/\b(?:i|me|my|we|us|our)\b/i.test(cut) || /^any(?:thing)?$/i.test(cut) || /^that (?:that|this|it) (?:is|was)\b/i.test(cut))
    return null
  const text = toThirdPerson(cut, person, 'second', true)
  return text?.replace(/\bthemselves\b/, person.pronouns?.reflexive ?? 'themselves') ?? null
}

const clauseStart =
  /(?:^|[,;] |\bask,? (?:you )?(?:if )?)(?=(?:have|did|do|are|were|was|is|has) (?:you|there|anybody|anyone|it)\b|any\b)/i

function lastClause(body: string): string {
  const lower = body.charAt(0).toLowerCase() + body.slice(1)
  const start = clauseStart.exec(lower)
  return start ? lower.slice(start.index + start[0].length) : lower
}

function phraseOf(body: string): string | null {
  const any =
    /^(?:have you (?:noticed |got )|(?:is|was|were|are) there |has there been |have there been |do you have |are you (?:getting|having) |did you (?:have|get) )?(any(?:thing)?\b.*)$/i.exec(
      body,
    )
  if (any?.[1]) return any[1]
  const had = /^have you (?:(ever) )?had (.*)$/i.exec(body)
  if (had?.[2]) return `${had[1] ? 'ever ' : ''}having had ${had[2]}`
  const being = /^(?:are|were) you (?:ever |still |currently |now )?(\w+ing\b.*)$/i.exec(body)
  if (being?.[1]) return being[1]
  const perfect = /^have you (ever |been |ever been )?(\w+)\b(.*)$/i.exec(body)
  if (perfect?.[2] && (isParticiple(perfect[2]) || perfect[2].endsWith('ing'))) {
    const lead = (perfect[1] ?? '').trim()
    return `${lead.startsWith('ever') ? 'ever ' : ''}having ${lead.endsWith('been') ? 'been ' : ''}${perfect[2]}${perfect[3] ?? ''}`
  }
  const thing =
    /^(has|have|is|was|are|were) (anybody|anyone|anything|somebody|someone|it|that|this|things|either of you|one of you) (.+)$/i.exec(
      body,
    )
  if (thing) return `that ${thing[2]} ${thing[1]} ${thing[3]}`
  const simple = /^(?:do|did) you (?:ever |still |sometimes |currently )?(\w+)\b(.*)$/i.exec(body)
  if (simple?.[1] && (isBaseVerb(simple[1]) || /^(?:hurt|cut)$/.test(simple[1])))
    return `${gerund(simple[1])}${alsoGerunds(simple[2] ?? '')}`
  return null
}

const alsoGerunds = (rest: string): string =>
  rest.replace(
    /(,|\bor|\band) (\w+)(?= (?:it|him|her|them|your|you|yourself|any|the|an?|against|into|on|off)\b)|(,|\bor|\band) (smoke|vape|use)\b/gi,
    (whole: string, joint?: string, verb?: string, other?: string, known?: string) => {
      const said = (verb ?? known ?? '').toLowerCase()
      return isBaseVerb(said) || /^(?:hurt|cut|hit)$/.test(said) ? `${joint ?? other ?? ''} ${gerund(said)}` : whole
    },
  )

const asksWhat =
  /^(?:.*?[,;] )?((?:what|how|when|where|why|which)(?: [\w'-]+){0,5}?) (do|did|are|were|have|had|can|could|will|would) you (.+)$/i
const asksWhether = /^(?:.*?[,;] )?(do|did|are|were|have|had|can|could|would|will) you (.+)$/i
const asksOfThings =
  /^(?:.*?[,;] )?(is|was|are|were|has|have) (there|it|that|this|anybody|anyone|anything|somebody|someone|something|things|one of you|either of you) (.+)$/i

const asksWhatOfThings = /^(?:.*?[,;] )?((?:what|how|when|where|why)(?: [\w'-]+){0,3}?) does (it|that|this) (\w+)\b(.*)$/i

/** "how much coffee do you have in a day" becomes "how much coffee she has in a day"; null if that would be a guess. */
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
