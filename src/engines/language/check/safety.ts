import type { Statement } from '#contract/model/note.ts'
import { mentionsMedication } from '../rules/lexicon/medication.ts'
import { riskTopic } from '../rules/lexicon/risk.ts'
import { plain } from './words.ts'

const written =
  /\b(?:suicid\w*|self-? ?harm\w*|(?:kill|hurt|harm|cut)(?:s|ed|ing)? (?:herself|himself|themsel\w+|themself|yourself|myself|somebody|someone|others|the baby|her|him)|overdos\w*|homicid\w*|violen\w*|abus\w*|assault\w*|threaten\w*|weapons?|guns?|firearms?|wish(?:ed|es|ing)? (?:to be dead|to die)|not (?:be|being|wanting to be) (?:here|alive)|ending (?:her|his|their) life|end (?:her|his|their) life|safety plan|physical(?:ly)? (?:hurt|hit)|safeguarding|medications?|medicines?|dos(?:e|es|age)|\d+ ?mg|prescri\w*|tablets?|side[- ]effects?)\b/i

/** Suicide, self-harm, violence, abuse and medication need a click each, whatever the writer thought. */
export function needsClick({ text, evidence }: Pick<Statement, 'text' | 'evidence'>): boolean {
  const own = plain(text)
  if (/\bnot (?:assessed|stated)\b/i.test(own) && evidence.length === 0) return false
  if (written.test(own) || riskTopic(own) !== null || mentionsMedication(own)) return true
  return evidence.some(({ quote }) => quote !== null && riskTopic(quote) !== null)
}
