import type { Evidence, Note } from '#contract/model/note.ts'

/**
 * The note once the words it was drafted from are erased: quotes remain as fingerprints only, and what was said and not
 * written is gone. What was written stays.
 *
 * @param sha256 of UTF-8 text, in hexadecimal
 */
export function eraseQuotes<Kept extends Note>(note: Kept, sha256: (text: string) => string): Kept {
  const erased = (evidence: Evidence): Evidence =>
    evidence.quote === null ? evidence : { ...evidence, quote: null, quote_sha256: sha256(evidence.quote) }
  return {
    ...note,
    sections: note.sections.map((section) => ({
      ...section,
      statements: section.statements.map((statement) => ({ ...statement, evidence: statement.evidence.map(erased) })),
    })),
    omissions: note.omissions.map((omission) => ({ ...omission, text: '', evidence: omission.evidence.map(erased) })),
    unsupported: [],
  }
}
