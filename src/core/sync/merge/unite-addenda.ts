import type { Addendum, Note } from '#contract/model/note.ts'
import type { SessionNote } from '#core/records/notes/note-repository.ts'
import { addendumHash } from '#core/records/notes/note-signing.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { PendingIntents } from './pending.ts'

/**
 * The service's addenda in their order, then those it has not been told of. Each is chained to the one before it, so these
 * are chained anew, and told so; the words, their time and whose they are stay.
 */
export function uniteAddenda(pending: PendingIntents, mine: SessionNote, theirs: Note): Addendum[] {
  const there = new Set(theirs.addenda.map(({ id }) => id))
  const waiting = pending.of(mine.id, 'add-addendum')
  pending.remove(waiting.filter(({ body }) => there.has(body.id)))
  const untold = mine.addenda.filter(({ id }) => !there.has(id))
  const united = [...theirs.addenda]
  let previous = theirs.addenda.at(-1)?.content_hash ?? theirs.signature?.content_hash ?? ''
  const isMoved = untold[0] !== undefined && addendumHash(wordsOf(untold[0]), previous) !== untold[0].content_hash
  if (!isMoved) return [...united, ...untold]
  for (const addendum of untold) {
    const words = wordsOf(addendum)
    const chained = { ...words, content_hash: addendumHash(words, previous) }
    previous = chained.content_hash
    united.push(chained)
    const { client_id, session_id, id: subject_id } = mine
    const intent: AnyIntent = { kind: 'add-addendum', client_id, session_id, subject_id, body: chained }
    pending.replace(
      waiting.filter(({ body }) => body.id === addendum.id),
      intent,
      false,
    )
  }
  return united
}

function wordsOf({ content_hash: _chain, ...words }: Addendum): Omit<Addendum, 'content_hash'> {
  return words
}
