import { createHash } from 'node:crypto'
import type { Addendum, Note, NoteBody } from '#contract/model/note.ts'
import type { TranscriptDraft } from '#contract/model/transcript.ts'
import { canonicalAddendum, canonicalJson, canonicalNote, eraseQuotes } from '#domain/canonical-note.ts'

export const contentHash = (note: NoteBody): string => sha256(canonicalNote(note))

/** Hash of the note as it was sent to the service, which may have deleted quotes when it stored the note. */
export function hashAsPut(note: NoteBody & Pick<Note, 'redacted'>): string {
  const [hash, { redacted }] = [contentHash(note), note]
  return redacted?.content_hash === hash ? (redacted.put_hash ?? hash) : hash
}

export function addendumHash(addendum: Omit<Addendum, 'content_hash'>, previousHash: string): string {
  return sha256(canonicalAddendum(addendum, previousHash))
}

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

export function isSignedOverErased(note: Note): boolean {
  const { signature, status, redacted } = note
  return signature !== null && status !== 'returned' && redacted !== undefined && contentHash(note) !== signature.content_hash
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Removes transcript quotes as `eraseQuotes` does. A signed note also records the hash of the remaining content. */
export function withoutQuotes<Kept extends Note>(note: Kept, at: string): Kept {
  const left = eraseQuotes(note, sha256)
  return note.signature === null ? left : { ...left, redacted: { at, content_hash: contentHash(left) } }
}

export function hashTranscript(transcript: TranscriptDraft): string {
  const { session_id, language, duration_ms, speakers, segments, engine } = transcript
  return sha256(canonicalJson({ session_id, language, duration_ms, speakers, segments, engine }))
}
