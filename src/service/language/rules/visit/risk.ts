import { riskTopic } from '../lexicon/risk.ts'

/** "I took some Tylenol" tells of a remedy in a visit for a sore back; "too many", "all of them" stay what they are. */
const remedy =
  /\b(?:took|taken|take) (?:(?:some|my|the|a|an|one|two|couple|of|extra strength) )*(?:pills?|tablets?|paracetamol|tylenol)\b/gi

export function visitRisk(text: string): string | null {
  return riskTopic(text.replace(remedy, ' '))
}
