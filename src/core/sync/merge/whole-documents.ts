import type { Note, Addendum } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { SessionNote } from '#core/records/notes/note-repository.ts'
import { addendumHash, contentHash, hashAsPut, hashTranscript, withoutQuotes } from '#core/records/content-hash.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { TranscriptRepository } from '#core/records/transcripts/transcript-repository.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { OfSession, Whole } from './merge-documents.ts'
import type { PendingIntents } from './pending.ts'
import type { RecordParts } from '#core/records/repositories.ts'

export function wholeTranscripts(transcripts: TranscriptRepository, sessions: SessionRepository): Whole<Transcript> {
  return {
    ...transcripts,
    kind: 'transcript',
    intents: ['put-transcript'],
    put: 'put-transcript',
    replace(transcript, serviceVersion) {
      const session = sessions.find(transcript.session_id)
      if (session !== null) transcripts.put(transcript, session.starts_at, serviceVersion)
    },
    hash: hashTranscript,
    isSame: (mine, theirs) => hashTranscript(mine) === hashTranscript(theirs),
    joined: (mine, theirs) => ({ ...theirs, updated_at: mine.updated_at, created_at: mine.created_at }),
    isFinal: () => false,
    signing: () => [],
    isNotAsSigned: () => false,
    clientOf: ({ session_id }) => sessions.find(session_id)?.client_id ?? null,
  }
}

type NoteParts = Pick<RecordParts, 'notes' | 'sessions'> & { readonly pending: PendingIntents }

export function wholeNotes({ notes, sessions, pending }: NoteParts): Whole<Note> {
  const own = (note: OfSession<Note>): SessionNote => ({
    ...note,
    client_id: note.client_id ?? sessions.find(note.session_id)?.client_id ?? '',
  })
  return {
    ...notes,
    kind: 'note',
    intents: ['put-note', 'sign-note', 'add-addendum'],
    put: 'put-note',
    replace: (note, serviceVersion) => notes.replace(own(note), serviceVersion),
    hash: hashAsPut,
    isSame: (mine, theirs) =>
      contentHash(mine) === contentHash(theirs) ||
      (mine.signature !== null && mine.signature.content_hash === theirs.signature?.content_hash),
    joined(mine, theirs) {
      if (isFinal(mine) && theirs.signature === null) return mine
      pending.remove(theirs.signature === null ? [] : pending.of(mine.id, 'sign-note'))
      return { ...erasedAsHere(mine, theirs), addenda: uniteAddenda(pending, own(mine), theirs) }
    },
    isFinal,
    signing({ signature, addenda, status }, theirs) {
      if (signature === null || status === 'returned' || theirs.signature !== null) return []
      return [{ kind: 'sign-note', body: { signature } }, ...addenda.map((body) => ({ kind: 'add-addendum' as const, body }))]
    },
    isNotAsSigned: (mine, theirs) =>
      isFinal(mine) && (theirs.signature === null ? !pending.isUnpushed(mine.id, 'sign-note') : isAltered(mine, theirs)),
    clientOf: (note) => own(note).client_id,
  }
}

/** True if both have the same signature, but the text of `theirs` is not what was signed. Deleted quotes do not count. */
export function isAltered(mine: Note, theirs: Note): boolean {
  const signed = mine.signature?.content_hash
  if (signed === undefined || theirs.signature?.content_hash !== signed) return false
  const known = [signed, contentHash(mine), contentHash(withoutQuotes(mine, mine.signature?.at ?? ''))]
  return !known.includes(contentHash(theirs))
}

/** Quotes deleted on this laptop must not come back with a signed version from the service. */
function erasedAsHere({ redacted }: Note, theirs: OfSession<Note>): OfSession<Note> {
  const isErasedHereAlone = redacted !== undefined && theirs.redacted === undefined && theirs.signature !== null
  return isErasedHereAlone ? withoutQuotes(theirs, redacted.at) : theirs
}

/** A note that a supervisor returned is a draft again. */
export const isFinal = ({ signature, status }: Note): boolean => signature !== null && status !== 'returned'

/**
 * An addendum's hash includes the hash before it. If other addenda now come before the local ones, the local ones get new
 * hashes and new intents.
 */
function uniteAddenda(pending: PendingIntents, mine: SessionNote, theirs: Note): Addendum[] {
  const there = new Set(theirs.addenda.map(({ id }) => id))
  const waiting = pending.of(mine.id, 'add-addendum')
  pending.remove(waiting.filter(({ body }) => there.has(body.id)))
  const unpushed = mine.addenda.filter(({ id }) => !there.has(id))
  const united = [...theirs.addenda]
  let previous = theirs.addenda.at(-1)?.content_hash ?? theirs.signature?.content_hash ?? ''
  const isMoved = unpushed[0] !== undefined && addendumHash(wordsOf(unpushed[0]), previous) !== unpushed[0].content_hash
  if (!isMoved) return [...united, ...unpushed]
  for (const addendum of unpushed) {
    const words = wordsOf(addendum)
    const chained = { ...words, content_hash: addendumHash(words, previous) }
    previous = chained.content_hash
    united.push(chained)
    const { client_id, session_id, id: subject_id } = mine
    const intent: AnyIntent = { kind: 'add-addendum', client_id, session_id, subject_id, body: chained }
    pending.replace(
      waiting.filter(({ body }) => body.id === addendum.id),
      intent,
    )
  }
  return united
}

const wordsOf = ({ content_hash: _chain, ...words }: Addendum): Omit<Addendum, 'content_hash'> => words
