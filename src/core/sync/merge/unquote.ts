import type { Note } from '#contract/model/note.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { NoteRepository } from '#core/records/notes/note-repository.ts'
import { contentHash } from '#core/records/notes/note-signing.ts'
import { withoutQuotes } from '#core/records/notes/note-signing.ts'
import type { ConflictRepository } from './conflict-repository.ts'
import type { PendingIntents } from './pending.ts'

interface Parts {
  readonly conflicts: ConflictRepository
  readonly pending: PendingIntents
  readonly notes: NoteRepository
  readonly clock: Clock
}

/** What a session's note quotes of erased words goes with them. One whose signature is still to be told stays as it was signed. */
export function createUnquote({ conflicts, pending, notes, clock }: Parts): (sessionId: string) => void {
  return (sessionId) => {
    const change = <Kept extends Note>(note: Kept): Kept => withoutQuotes(note, timestamp(clock))
    conflicts.changeNotes(sessionId, change)
    const note = notes.ofSession(sessionId)
    if (note === null || pending.isUntold(note.id, 'sign-note')) return
    const after = change(note)
    if (contentHash(after) === contentHash(note)) return
    notes.replace({ ...after, version: note.version + 1 }, notes.serviceVersion(note.id))
  }
}
