import { createHash } from 'node:crypto'
import type { Addendum, Note, NoteBody } from '#contract/model/note.ts'
import { canonicalAddendum, canonicalNote, eraseQuotes } from '#domain/canonical-note.ts'

export function contentHash(note: NoteBody): string {
  return sha256(canonicalNote(note))
}

/** What it hashed to as it was sent, where the service leaves out of it at once what is erased. */
export function hashAsPut(note: NoteBody & Pick<Note, 'redacted'>): string {
  const [hash, { redacted }] = [contentHash(note), note]
  return redacted?.content_hash === hash ? (redacted.put_hash ?? hash) : hash
}

/** Chained to what was there: the last addendum, or the signature. */
export function addendumHash(addendum: Omit<Addendum, 'content_hash'>, previousHash: string): string {
  return sha256(canonicalAddendum(addendum, previousHash))
}

/** Whether a signed note and each of its addenda are still what was signed, or what erasing its source by policy left of it. */
export function isIntact(note: Note): boolean {
  if (note.signature === null) return false
  const hash = contentHash(note)
  if (note.signature.content_hash !== hash && note.redacted?.content_hash !== hash) return false
  let previous = note.signature.content_hash
  for (const addendum of note.addenda) {
    if (addendum.content_hash !== addendumHash(addendum, previous)) return false
    previous = addendum.content_hash
  }
  return true
}

/** Signed over words that were erased since: where it was not signed yet, it cannot be shown what it was signed over. */
export function isSignedOverErased(note: Note): boolean {
  const { signature, status, redacted } = note
  return signature !== null && status !== 'returned' && redacted !== undefined && contentHash(note) !== signature.content_hash
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The words it was drafted from are erased. A signed note is known from then on by what is left of it. */
export function withoutQuotes<Kept extends Note>(note: Kept, at: string): Kept {
  const left = eraseQuotes(note, sha256)
  return note.signature === null ? left : { ...left, redacted: { at, content_hash: contentHash(left) } }
}
