import type { Addendum, NoteBody, Evidence, Note } from '#contract/model/note.ts'

/** The text that a note's signature covers. App and service compare its SHA-256 hash. */
export function canonicalNote(note: NoteBody): string {
  const { session_id, client_id, template, sections, unsupported, omissions, checks, engine } = note
  return canonicalJson({ session_id, client_id, template, sections, unsupported, omissions, checks, engine })
}

/** @param previousHash content hash of the previous addendum in hex; for the first addendum, the signature's content hash */
export function canonicalAddendum(addendum: Omit<Addendum, 'content_hash'>, previousHash: string): string {
  const { id, text, reason, by, at } = addendum
  return previousHash + canonicalJson({ id, text, reason, by, at })
}

/** JSON in the canonical form of RFC 8785. Undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/**
 * Removes transcript quotes: evidence keeps a hash of its quote, omissions lose their text, and unsupported sentences are
 * removed.
 * @param sha256 of UTF-8 text, in hex
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
