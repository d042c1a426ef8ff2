import type { Evidence, Note } from '#contract/model/note.ts'
import { contentHash, sha256 } from './note-signing.ts'

/**
 * The words it was drafted from are erased: what leads back to them does so by fingerprint alone, as at the service. What
 * was written, and signed, stays; a signed note is known from then on by what is left of it.
 */
export function withoutQuotes<Kept extends Note>(note: Kept, at: string): Kept {
  const left: Kept = {
    ...note,
    sections: note.sections.map((section) => ({
      ...section,
      statements: section.statements.map((statement) => ({ ...statement, evidence: statement.evidence.map(fingerprinted) })),
    })),
    omissions: note.omissions.map((omission) => ({ ...omission, text: '', evidence: omission.evidence.map(fingerprinted) })),
    unsupported: [],
  }
  return note.signature === null ? left : { ...left, redacted: { at, content_hash: contentHash(left) } }
}

function fingerprinted(evidence: Evidence): Evidence {
  return evidence.quote === null ? evidence : { ...evidence, quote: null, quote_sha256: sha256(evidence.quote) }
}
