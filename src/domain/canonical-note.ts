import type { Addendum, NoteBody, Evidence, Note } from '#contract/model/note.ts'

/**
 * What a signature covers: the note as it was signed, without status, signature, addenda, times and version.
 * Both sides hash this text with SHA-256 and compare in hex.
 */
export function canonicalNote(note: NoteBody): string {
  const { session_id, client_id, template, sections, unsupported, omissions, checks, engine } = note
  return canonicalJson({ session_id, client_id, template, sections, unsupported, omissions, checks, engine })
}

/** What an addendum's hash covers, after the hex hash before it: the signature's for the first, else the last addendum's. */
export function canonicalAddendum(addendum: Omit<Addendum, 'content_hash'>, previousHash: string): string {
  const { id, text, reason, by, at } = addendum
  return previousHash + canonicalJson({ id, text, reason, by, at })
}

/**
 * RFC 8785: members sorted by UTF-16 code units, no white space, numbers and strings as ECMAScript writes them.
 * Members that are undefined are left out, as JSON.stringify does.
 */
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
