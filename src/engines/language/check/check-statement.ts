import { isAbsence } from '#domain/note-review.ts'
import type { Evidence, Statement } from '#contract/model/note.ts'
import { assumedFaults } from './assumed.ts'
import { boundFaults } from './bound.ts'
import { certaintyFaults } from './certainty.ts'
import { claimOf } from './claims.ts'
import { dateFaults } from './dates.ts'
import { denialFaults, statedFaults } from './denials.ts'
import { doerFaults } from './doers.ts'
import { checkedEvidence, evidenceOfQuotes } from './evidence.ts'
import { figureFaults } from './figures.ts'
import { medicationFaults } from './medication.ts'
import { nameFaults } from './names.ts'
import { polarityFaults } from './polarity.ts'
import { quoteFaults } from './quotes.ts'
import { frequencyFaults, intentFaults, openFaults } from './open.ts'
import { needsClick } from './safety.ts'
import { scopeOf } from './scope.ts'
import { speakerFaults } from './speakers.ts'
import type { Fault, Room } from './types.ts'
import { contentFaults } from './wording.ts'
import { cutText } from '#base/cut-text.ts'

export type Verdict =
  | { readonly kind: 'keep' | 'mark'; readonly statement: Statement }
  | { readonly kind: 'drop'; readonly text: string; readonly reason: string }

/** One statement against what it cites. A person's own sentence is theirs to answer for and is never taken out. */
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
  const [doubt] = faults
  return doubt ? { kind: 'mark', statement: { ...statement, doubt: cutText(doubt.reason, 200) } } : { kind: 'keep', statement }
}

/** What the therapist asked is no cue of its own: "asked about safety" needs no click for the words of the question. */
function withoutQuestions(room: Room, { text, evidence }: Statement): Pick<Statement, 'text' | 'evidence'> {
  const isTherapists = ({ segment_id }: Evidence): boolean =>
    room.speakerAt(room.places.get(segment_id) ?? -1).role === 'therapist'
  return { text, evidence: evidence.filter((each) => !isTherapists(each)) }
}

/** A line that a section stays empty, from whichever writer. */
export function saysNothing(statement: Statement): boolean {
  return (
    isAbsence(statement) ||
    /^(?:[\p{Lu}][\p{L} ,()/-]{0,60}: )?(?:not (?:stated|assessed)(?: in (?:the )?session)?|left to the clinician|to be completed by the clinician)[.]?$/iu.test(
      statement.text.trim(),
    )
  )
}

export function faultsOf(room: Room, statement: Statement, section: string): Fault[] {
  const claim = claimOf(room, statement.text)
  const scope = scopeOf(room, statement.evidence)
  return [
    ...quoteFaults(room, claim, scope),
    ...assumedFaults(claim, scope),
    ...denialFaults(room, claim, scope, statement.finding),
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
