import type { Statement } from '#contract/model/note.ts'

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
