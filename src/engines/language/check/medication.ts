import { doubt, drop, notSaid } from './faults.ts'
import { drugName } from '../rules/lexicon/topics.ts'
import type { Claim, Scope, Fault, Room } from './types.ts'
import { plain } from '../text/words.ts'

const allDrugs = new RegExp(drugName.source, 'gi')
const drugLike =
  /\b\w{3,}(?:sartan|statin|prazole|dipine|azepam|azolam|oxetine|triptyline|gliptin|cillin|mycin|triptan|olol|idone|apine|piprazole|barbital|codone|profen|afil|mab|nib)\b/gi
const taking = /\b(?:takes?|taking|is on|on|currently|current|continues?|remains on|has taken|prescribed)\b/i
const ended =
  /\b(?:stopped|stop|came off|come off|been off|quit|was on|used to|no longer|not taking|ran out|gave up|off the|finished)\b/i
const begun = /\b(?:started|start|starts|began|put (?:me|him|her|them) on|initiated|commenced|restarted|going back on)\b/i
const prescribed = /\bprescri\w+/i

const classes =
  /\b(?:beta[- ]?blockers?|antidepressants?|ssris?|antipsychotics?|mood stabili[sz]ers?|benzodiazepines?|sleeping (?:pills?|tablets?)|tranquilli[sz]ers?|sedatives?|stimulants?|painkillers?|antibiotics?|inhalers?|steroids?|antihistamines?|hormones?|vitamins?|supplements?)\b/i

const prescriber = /\b(?:prescri\w+|gave|put|doctor|gp|psychiatrist|dr|clinic|started|paediatrician|nurse)\b/

const notTaken = /\b(?:said no|declined|refused|did(?:n't| not) want|turned it down|offered)\b/

export function medicationFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const faults: Fault[] = []
  const near = scope.near.map(({ text }) => plain(text).toLowerCase()).join(' ')
  const around = scope.around.map(({ text }) => plain(text).toLowerCase()).join(' ')
  for (const drug of drugsIn(claim.own)) {
    if (near.includes(drug)) continue
    const others = drugsIn(near)
    if (!around.includes(drug) || others.length > 0)
      faults.push((room.vocabulary.has(drug) && others.length === 0 ? doubt : drop)(notSaid(drug)))
  }
  const kind = classes.exec(claim.own)?.[0]
  if (kind !== undefined && !isOfMedication(near) && !classes.test(near)) faults.push(doubt(notSaid(kind)))
  if (faults.length > 0 || !isOfMedication(claim.own)) return faults
  const own = claim.own.toLowerCase()
  const isQuestionOnly = /\b(?:asked|discussed|considering|wondering)\b/.test(own)
  if (isQuestionOnly) return faults
  const settled = scope.near
    .flatMap(({ clauses }) => clauses.filter(({ isHedged, isHypothetical }) => !isHedged && !isHypothetical))
    .map(({ text }) => text)
    .join(' ; ')
  if (begun.test(own) && !begun.test(settled) && ended.test(near) && !ended.test(own))
    faults.push(drop('started in the statement, stopped where it was said'))
  if (ended.test(own) && !/\bnot\b|n't/.test(own) && !ended.test(near) && !/\bstop/.test(near))
    faults.push(drop('stopped in the statement, not where it was said'))
  if (
    taking.test(own) &&
    !ended.test(own) &&
    !begun.test(own) &&
    /\b(?:stopped|came off|come off|was on)\b/.test(near) &&
    !/\b(?:takes?|taking|still|am on|i'm on|im on)\b/.test(near) &&
    endedIsSameDrug(own, near)
  )
    faults.push(drop('taken in the statement, stopped where it was said'))
  if (prescribed.test(own) && !prescriber.test(near)) faults.push(doubt('nobody said that it was prescribed'))
  if (prescribed.test(own) && notTaken.test(near) && !/\b(?:declin|refus|no\b|not\b|offer)/.test(own))
    faults.push(drop('it was offered, and not taken'))
  return faults
}

const drugsIn = (text: string): string[] =>
  [...new Set([...text.matchAll(allDrugs), ...text.matchAll(drugLike)].map((match) => match[0].toLowerCase()))].filter(
    (word) => !/^(?:olol|avoidone|condone|abandone|someone|anyone)$/.test(word),
  )

const isOfMedication = (text: string): boolean =>
  drugsIn(text).length > 0 || /\b(?:medication|tablets?|pills?|dose|prescri\w+|mg)\b/i.test(text)

/** If the statement names a drug and the source also names others, the part of the source about an end must name the drug. */
function endedIsSameDrug(own: string, near: string): boolean {
  const drugs = drugsIn(own)
  if (drugs.length === 0) return true
  return near
    .split(/(?<=[.?!])\s+|, (?=and |but )/)
    .some(
      (sentence) =>
        ended.test(sentence) &&
        (drugs.some((drug) => sentence.includes(drug)) || drugsIn(near).every((drug) => drugs.includes(drug))),
    )
}
