import type { Note } from '#contract/model/note.ts'

/** The note after the therapist looked at every statement and left out what was not written. */
export function looked({ sections, omissions }: Note): Pick<Note, 'sections' | 'omissions'> {
  const confirmed_at = '2026-03-02T16:00:00Z'
  return {
    sections: sections.map((section) => ({
      ...section,
      statements: section.statements.map((statement) => ({ ...statement, confirmed_at })),
    })),
    omissions: omissions.map((omission) => ({ ...omission, decision: 'left_out' })),
  }
}
