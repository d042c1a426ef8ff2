import type { Statement } from '#contract/model/note.ts'

/** A sentence of the therapist's own, that nothing else bears out. */
export function ownStatement(id: string, text: string): Statement {
  return {
    id,
    text: text.trim(),
    evidence: [],
    support: 'clinician_entered',
    origin: 'person',
    finding: null,
    safety: false,
    confirmed_at: null,
  }
}

/** New words by the therapist: they stand on their own, and the link to what was said stays beside them. */
export function reworded(statement: Statement, text: string): Statement {
  if (statement.text === text.trim()) return statement
  return {
    ...statement,
    text: text.trim(),
    support: 'clinician_entered',
    origin: 'person',
    finding: statement.finding?.state === 'not_assessed' ? null : statement.finding,
    confirmed_at: null,
  }
}
