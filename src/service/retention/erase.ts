import { createHash } from 'node:crypto'
import { canonicalJson, canonicalNote } from '#domain/canonical-note.ts'
import { eraseQuotes } from '#domain/erase-quotes.ts'
import type { Note } from '#contract/model/note.ts'
import type { ErasedKind, Erasure } from '#contract/model/retention.ts'
import type { Session } from '#contract/model/session.ts'
import { analysesOf } from '../store/analyses.ts'
import { changeVersions, dropVersions } from '../store/note-versions.ts'
import { listNotes, updateNote } from '../store/notes.ts'
import { changed, findRecord, everyPage } from '../store/records.ts'
import { eraseBody, insertErasure } from '../store/retention.ts'
import type { Write } from '../store/tables.ts'

/** Who erases, and why; `erased_by` null is the practice's own rule. */
export type Why = Pick<Erasure, 'reason' | 'erased_by' | 'client_id'>
type NewId = () => string

/** Erases one record and leaves its certificate. */
export async function erase(
  db: Write,
  practice: string,
  kind: ErasedKind,
  record: { readonly id: string },
  why: Why,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<Erasure> {
  const content_sha256 = sha256(canonicalJson(record))
  const erasure: Erasure = { id, record_kind: kind, record_id: record.id, ...why, erased_at: now, content_sha256 }
  await eraseBody(db, practice, kind, record.id, now)
  if (kind === 'note') await dropVersions(db, practice, record.id)
  await insertErasure(db, practice, erasure)
  return erasure
}

/**
 * What was made from a session's words besides its notes goes with them; in its notes the quotes that lead back to them
 * are replaced by their fingerprints. What a therapist wrote, and signed, stays as it is.
 */
export async function eraseTraces(
  db: Write,
  practice: string,
  session_id: string,
  why: Why,
  { newId, now }: { readonly newId: NewId; readonly now: string },
): Promise<string[]> {
  const touched: string[] = []
  for (const analysis of await analysesOf(db, practice, session_id)) {
    await erase(db, practice, 'analysis', analysis, why, { id: newId(), now })
    touched.push(analysis.id)
  }
  for (const note of await notesOf(db, practice, session_id)) {
    await updateNote(db, practice, withoutQuotes(note, now))
    await changeVersions(db, practice, note.id, (kept) => withoutQuotes(kept, now))
    touched.push(note.id)
  }
  return touched
}

export function notesOf(db: Write, practice: string, session_id: string): Promise<Note[]> {
  return everyPage((cursor) => listNotes(db, practice, { limit: 200, session_id, cursor }))
}

export async function clientOf(db: Write, practice: string, session_id: string | null): Promise<string | null> {
  return session_id === null ? null : ((await findRecord<Session>(db, 'sessions', practice, session_id))?.client_id ?? null)
}

/**
 * The signature is over the note with its quotes. `redacted` carries the fingerprint of what is left, so that any later
 * change shows.
 */
export function withoutQuotes(note: Note, now: string): Note {
  const closed = changed(eraseQuotes(note, sha256), now)
  return { ...closed, redacted: { at: now, content_hash: sha256(canonicalNote(closed)) } }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
