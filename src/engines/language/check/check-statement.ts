import { doubt, drop, unitsBefore } from './faults.ts'
import { isAbsence } from '#domain/note-review.ts'
import type { Evidence, Statement } from '#contract/model/note.ts'
import { cutText } from '#base/cut-text.ts'
import { boundFaults } from './bound.ts'
import { certaintyFaults, denialFaults, statedFaults } from './certainty.ts'
import { claimOf, scopeOf } from './claims.ts'
import type { Claim, Scope, Fault, Room, Unit } from './types.ts'
import { dateFaults } from './dates.ts'
import { doerFaults } from './doers.ts'
import { checkedEvidence, evidenceOfQuotes, quoteFaults } from './evidence.ts'
import { figureFaults } from './figures.ts'
import { medicationFaults } from './medication.ts'
import { polarityFaults } from './polarity.ts'
import { frequencyFaults, intentFaults, openFaults } from './open.ts'
import { mentionsMedication, riskTopic } from '../rules/lexicon/topics.ts'
import { speakerFaults } from './speakers.ts'
import { contentFaults } from './wording.ts'
import { runOf, plain } from '../text/words.ts'
import { relationOf, namesWritten, couldBeName } from './people.ts'
import { calendar } from './room.ts'

export type Verdict =
  | { readonly kind: 'keep' | 'mark'; readonly statement: Statement }
  | { readonly kind: 'drop'; readonly text: string; readonly reason: string }

/** Checks one statement against its evidence. Statements written by the user are never removed. */
export function checkStatement(room: Room, written: Statement, section: string): Verdict {
  const evidence = checkedEvidence(room, written.evidence)
  const found = evidence.length === 0 && written.origin !== 'person' ? evidenceOfQuotes(room, written.text) : evidence
  const statement: Statement = {
    ...written,
    evidence: found,
    safety: written.safety || needsClick(withoutQuestions(room, written)),
  }
  if (written.origin === 'person' || written.support === 'clinician_entered') return { kind: 'keep', statement }
  if (written.evidence.length === 0 && found.length === 0 && saysNothing(written)) return { kind: 'keep', statement }
  if (found.length === 0) return { kind: 'drop', text: written.text, reason: 'it cites nothing that was said in the session' }
  const faults = faultsOf(room, statement, section)
  const dropped =
    faults.find(({ level }) => level === 'drop') ??
    (faults.length > 1 ? faults.find(({ level }) => level === 'likely') : undefined)
  if (dropped) return { kind: 'drop', text: written.text, reason: dropped.reason }
  const [first] = faults
  return first ? { kind: 'mark', statement: { ...statement, doubt: cutText(first.reason, 200) } } : { kind: 'keep', statement }
}

/** Leaves out quotes of the therapist, except those that end with words of risk: their answer may evade the question. */
function withoutQuestions(room: Room, { text, evidence }: Statement): Pick<Statement, 'text' | 'evidence'> {
  const isTherapists = ({ segment_id, quote }: Evidence): boolean =>
    room.speakerAt(room.places.get(segment_id) ?? -1).role === 'therapist' &&
    riskTopic((quote ?? '').split(/[.?!]\s+/).at(-1) ?? '') === null
  return { text, evidence: evidence.filter((each) => !isTherapists(each)) }
}

const emptyPhrase =
  /^(?:[\p{Lu}][\p{L} ,()/-]{0,60}: )?(?:not (?:stated|assessed)(?: in (?:the )?session)?|left to the clinician|to be completed by the clinician)[.]?$/iu

export const saysNothing = (statement: Statement): boolean => isAbsence(statement) || emptyPhrase.test(statement.text.trim())

export function faultsOf(room: Room, statement: Statement, section: string): Fault[] {
  const claim = claimOf(room, statement.text)
  const scope = scopeOf(room, statement.evidence)
  return [
    ...quoteFaults(room, claim, scope),
    ...assumedFaults(claim, scope),
    ...denialFaults(claim, scope, statement.finding),
    ...statedFaults(scope, statement.finding),
    ...medicationFaults(room, claim, scope),
    ...figureFaults(room, claim, scope),
    ...boundFaults(room, claim, scope),
    ...dateFaults(room, claim, scope),
    ...nameFaults(room, claim, scope),
    ...polarityFaults(room, claim, scope),
    ...openFaults(room, claim, scope),
    ...frequencyFaults(claim, scope),
    ...intentFaults(claim, scope),
    ...speakerFaults(room, claim, scope, section),
    ...doerFaults(room, claim, scope),
    ...certaintyFaults(room, claim, scope),
    ...contentFaults(room, claim, scope),
  ]
}

/** Stock phrases of notes. A statement with one can be dropped if half or more of the words of the phrase were not said. */
const assumed: readonly RegExp[] = [
  /\b(?:mood|affect) (?:is |was |appeared |appears |remained )?(?:and affect (?:were |are )?)?(?:euthymic|congruent|appropriate|full|stable|normal|broad|reactive|within normal limits|bright|flat|blunted|restricted|labile|constricted|dysphoric)\b/i,
  /\b(?:euthymic|mood[- ]congruent|affect (?:congruent|appropriate|full|normal|bright))\b/i,
  /\b(?:alert and )?oriented\b(?: (?:x ?\d|to))?/i,
  /\b(?:good|fair|intact|limited|adequate|poor|normal) (?:insight|judge?ment|eye contact|hygiene|grooming|concentration|memory|impulse control|rapport)\b/i,
  /\b(?:insight|judge?ment|memory|concentration|cognition|attention|hygiene|grooming|appetite|speech|thought process(?:es)?|thought content|behaviou?r|appearance|impulse control|orientation)\b[^.;]{0,40}\b(?:intact|good|fair|adequate|normal|unremarkable|within normal limits|wnl|appropriate|linear|logical|goal[- ]directed|coherent|age[- ]appropriate)\b/i,
  /\bno (?:(?:current|acute|apparent|immediate|evident|other|known|significant|identified|reported|new) )*(?:safety|safeguarding|risk|suicidal|homicidal|medical) ?(?:concerns?|issues?|ideation|intent|risks?)?\b/i,
  /\bno (?:(?:acute|apparent|obvious) )?(?:distress|psychotic|psychosis|delusions|hallucinations|paranoia|si\b|hi\b|si\/hi|ideation|contraindications|side effects|complaints|evidence of)/i,
  /\b(?:low|minimal|no|moderate|high|elevated) (?:\w+ )?risk\b|\brisk (?:is|was|level|assessed|remains)(?: as| to be)? (?:low|minimal|moderate|high)\b/i,
  /\b(?:tolerated|responded|engaged|participated|progressing|coping|doing|managing)(?: \w+){0,4} well\b|\bmaking (?:good|steady|excellent) progress\b|\bgood progress\b/i,
  /\b(?:was|is|appeared|appears|seemed|presented as|presents as|remained) (?:very |fully |well |actively )?(?:engaged|cooperative|pleasant|receptive|motivated|open|attentive|well[- ]groomed|appropriately dressed|calm and cooperative|in no acute distress|forthcoming|compliant|guarded|tearful|agitated|restless)\b/i,
  /\b(?:well[- ]groomed|appropriately dressed|casually dressed|eye contact|psychomotor|good rapport|therapeutic (?:alliance|rapport)|contract(?:ed|s) for safety|within normal limits|wnl|unremarkable|medically stable|medication compliant|compliant with (?:medication|treatment)|receptive to|baseline)\b/i,
  /\bmotivated (?:for|to)\b.*\b(?:treatment|therapy|change)\b|\bprognosis\b|\bmeets? (?:\w+ )*criteria\b/i,
]

const light = new Set(
  'the a an is was were are to of for and in with no good well very as be been at x1 x2 x3 x4 client patient he she they'.split(
    ' ',
  ),
)

function assumedFaults(claim: Claim, scope: Scope): Fault[] {
  if (/\bnot (?:assessed|stated|asked)\b/i.test(claim.own)) return []
  const said = new Set(scope.near.flatMap((unit) => runOf(unit.text)))
  for (const pattern of assumed) {
    const match = pattern.exec(claim.own)
    if (match === null) continue
    const words = runOf(match[0]).filter((word) => !light.has(word))
    const missing = words.filter((word) => !said.has(word) && !said.has(word.replace(/(?:ed|s|ing)$/, '')))
    const isOfSaid = /^(?:poor|limited|reduced)\b/i.test(match[0]) && words.some((word) => said.has(word))
    if (isOfSaid) continue
    if (missing.length > 0 && (words.length === 1 || missing.length / words.length >= 0.5))
      return [drop(`nobody spoke of “${match[0].trim().slice(0, 80)}”`)]
  }
  return []
}

const acronym = /^[A-Z0-9-]+$/
const afterName =
  /^(?:is|was|has|had|will|would|said|says|told|thinks|called|rang|gave|gives|sat|put|brings|brought|took|takes|keeps|came|comes|offered|wants|asked|and|does|did|can)$/

function nameFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const near = wordsOf(scope.near)
  const around = wordsOf(scope.around)
  const earlier = wordsOf(unitsBefore(room, scope, 8))
  const faults: Fault[] = []
  for (const name of new Set([...namesWritten(claim.own), ...opening(room, claim)])) {
    if (calendar.test(name) || room.aliases.has(name) || relationOf(name) !== null || near.has(name) || isTitle(name)) continue
    if (acronym.test(name.toUpperCase()) && new RegExp(`\\b${name.toUpperCase()}\\b`).test(claim.text)) continue
    const kin = scope.units.flatMap(({ text }) => runOf(text).flatMap((word) => relationOf(word) ?? []))
    const isOtherKin = kin.some((relation) => !runOf(claim.own).some((word) => relationOf(word) === relation))
    const others = [...room.names].filter(
      (other) => other !== name && near.has(other) && !runOf(claim.own).includes(other) && !room.aliases.has(other),
    )
    if ((around.has(name) || earlier.has(name) || isMeant(room, name, scope)) && others.length === 0 && !isOtherKin) continue
    const fault = room.vocabulary.has(name) && others.length === 0 ? doubt : drop
    faults.push(fault(`“${name.charAt(0).toUpperCase()}${name.slice(1)}” is not named where the statement points`))
  }
  return faults
}

/** "He" or "she" in the source can mean the person whose name the session mentions most often. */
function isMeant(room: Room, name: string, scope: Scope): boolean {
  const count = (each: string): number =>
    room.segments.filter(({ text }) => runOf(text).some((word) => word.replace(/'s$/, '') === each)).length
  const own = count(name)
  return (
    own >= 3 &&
    scope.units.some(({ text }) => /\b(?:he|him|his|she|her)\b/i.test(text)) &&
    [...room.names].every((other) => room.aliases.has(other) || count(other) <= own)
  )
}

const isTitle = (name: string): boolean =>
  /^(?:dr|doctor|mr|mrs|ms|miss|gp|phq|gad|saint|st|year|she|he|they|her|his|their|it|the|this|asked|rated|therapist|client|patient|plan|agreed|next)$/.test(
    name,
  )

/**
 * Finds names at the start of sentences, where a capital does not show a name: known names, and other words that are followed
 * by a word such as "said".
 */
const opening = (room: Room, claim: Claim): string[] =>
  [...claim.own.matchAll(/(?:^|[.!?;]\s+)(\p{Lu}\p{Ll}+)(?:'s)?\s+(\p{Ll}+)/gu)].flatMap((match) => {
    const word = (match[1] ?? '').toLowerCase()
    const next = match[2] ?? ''
    if (room.names.has(word)) return [word]
    return couldBeName(word) && afterName.test(next) && !/(?:ing|ed|s|ly)$/.test(word) ? [word] : []
  })

const wordsOf = (units: readonly Unit[]): Set<string> =>
  new Set(units.flatMap((unit) => runOf(unit.text).flatMap((word) => [word, word.replace(/'s$|s'$/, '')])))

const written =
  /\b(?:suicid\w*|self-? ?harm\w*|(?:kill|hurt|harm|cut)(?:s|ed|ing)? (?:herself|himself|themsel\w+|themself|yourself|myself|somebody|someone|others|the baby|her|him)|overdos\w*|homicid\w*|violen\w*|abus\w*|assault\w*|threaten\w*|weapons?|guns?|firearms?|wish(?:ed|es|ing)? (?:to be dead|to die)|not (?:be|being|wanting to be) (?:here|alive)|ending (?:her|his|their) life|end (?:her|his|their) life|safety plan|physical(?:ly)? (?:hurt|hit)|safeguarding|medications?|medicines?|dos(?:e|es|age)|\d+ ?mg|prescri\w*|tablets?|side[- ]effects?)\b/i

export function needsClick({ text, evidence }: Pick<Statement, 'text' | 'evidence'>): boolean {
  const own = plain(text)
  if (/\bnot (?:assessed|stated)\b/i.test(own) && evidence.length === 0) return false
  if (written.test(own) || riskTopic(own) !== null || mentionsMedication(own)) return true
  return evidence.some(({ quote }) => quote !== null && riskTopic(quote) !== null)
}
