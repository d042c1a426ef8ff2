import drugs from './drugs.json' with { type: 'json' }
import lexicon from './topics.json' with { type: 'json' }

export interface Kind {
  readonly topic: string
  readonly pattern: RegExp
}

/** `{name}` in a phrase stands for one of the parts. */
const patternOf = (phrases: readonly string[]): string =>
  phrases.join('|').replaceAll(/\{([a-z_]+)\}/g, (_, name: keyof typeof lexicon.parts) => lexicon.parts[name])

const kindsOf = (topics: Readonly<Record<string, readonly string[]>>): readonly Kind[] =>
  Object.entries(topics).map(([topic, phrases]) => ({ topic, pattern: new RegExp(`\\b(?:${patternOf(phrases)})`, 'i') }))

const topicIn = (kinds: readonly Kind[], text: string): string | null =>
  kinds.find(({ pattern }) => pattern.test(text))?.topic ?? null

/** A false match is better than a missed risk. */
export const riskKinds = kindsOf(lexicon.risk)
export const riskTopics = [...riskKinds.map(({ topic }) => topic), 'plan or intent', 'withdrawal and driving']

export const notTheSpeaker =
  /\b(?:my|his|her|their) (?:brother|sister|mother|mum|mom|father|dad|friend|uncle|aunt|cousin|husband|wife|partner|son|daughter|grand\w+|boss|colleague|neighbou?r|ex)\b|\b(?:he|she|they)(?:'s|'re)? (?:on|tried|was|were|had|used|does|did|took|hanged|killed)\b/i

/** Includes the plot of a film or novel, if the sentence says nothing about the speaker. */
const nearMiss = new RegExp(patternOf(lexicon.near_misses), 'gi')

export function riskTopic(text: string): string | null {
  const normal = text.replaceAll('’', "'")
  return topicIn(riskKinds, normal) && topicIn(riskKinds, normal.replace(nearMiss, ' '))
}

const names = [...drugs.generic, ...drugs.brands].join(' ').split(' ')
const endings = 'sartan|statin|prazole|dipine|azepam|oxetine|triptyline|gliptin|cillin|mycin|triptan|thiazide|floxacin|lukast'
const named = new Set(names)
const ending = new RegExp(`^\\w{3,}(?:${endings})$`, 'i')

/** To test only whether a text names a drug, use `drugIn`, which is much faster. */
export const drugName = new RegExp(`\\b(?:${names.join('|')}|\\w{3,}(?:${endings}))\\b`, 'i')

export const medicationWords =
  /\b(?:medications?|medicines?|meds\b|dose[sd]?\b|dosage|milligram\w*|\d+ ?mg\b|mg\b|tablets?\b(?! computer)|pills?\b|prescri\w*|refills?|side[- ]effects?|antidepress\w*|ssris?\b|mood stabili\w*|benzodiazepine\w*|benzos?|stimulants?|antipsychotic\w*|sleeping (?:pill|tablet)s?|inhaler|ran out of|allerg\w*|beta[- ]?blockers?|on (?:the|a) (?:higher|lower) dose|came off (?:it|them)|stopped taking|started taking|taper\w*)\b/i

export const medicationChange =
  /\b(?:increas\w*|decreas\w*|put (?:it|me|them|you) (?:up|down|on)|went (?:up|down)|raised|lowered|stopp?\w*|start\w*|taper\w*|switch\w*|doubl\w*|halv\w*|missed|skip\w*|came off|ran out|restart\w*)\b/i

export const mentionsMedication = (text: string): boolean => drugIn(text) !== null || medicationWords.test(text)

export const drugIn = (text: string): string | null => (text.match(/\w{4,}/g) ?? []).find(isDrug) ?? null

const isDrug = (word: string): boolean => named.has(word.toLowerCase()) || ending.test(word)

export const substanceKinds = kindsOf(lexicon.substances)

export const substanceTopic = (text: string): string | null => topicIn(substanceKinds, text)

export const withdrawalWords =
  /\b(?:withdrawal|shak(?:es|ing|y)|sweat(?:s|ing)|tremors?|seizures?|fits\b|blackouts?|blacked out|driv(?:e|es|ing) (?:after|drunk|home after)|drove (?:drunk|home drunk|after))\b/i

export const symptomKinds = kindsOf(lexicon.symptoms)

export const symptomTopic = (text: string): string | null => topicIn(symptomKinds, text)
