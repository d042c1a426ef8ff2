import { createHash } from 'node:crypto'
import { AppError } from '#contract/errors.ts'
import { canonicalNote } from '#domain/canonical-note.ts'
import type { Note } from '#contract/model/note.ts'
import type { Call, HandlersOf, Reply } from '#service/access/call.ts'
import { requireVersion } from '#service/kernel/stale.ts'
import { keepVersion, pageOfVersions } from '../store/note-versions.ts'
import { getNote, updateNote } from '../store/notes.ts'
import { changed } from '../store/records.ts'
import type { Write } from '../store/tables.ts'
import { requireOwnNote, requireSuperviseesNote } from '#service/access/own-note.ts'
import { requireReach } from '#service/access/reach.ts'

type Operations = 'cosignNote' | 'returnNote' | 'listNoteVersions' | 'enterInError'

/** Signed by whoever wrote it: such a note can be wrong, and then stays readable as what it was. */
const signed: readonly Note['status'][] = ['signed', 'awaiting_cosign', 'cosigned', 'amended']

export function cosignHandlers(): HandlersOf<Operations> {
  return {
    cosignNote: (call) => async (db) => {
      const current = await awaiting(db, call)
      if (createHash('sha256').update(canonicalNote(current)).digest('hex') !== call.body.content_hash)
        throw new AppError('conflict', 'The signature is over another text than the one kept here.')
      return changeNote(db, call, {
        ...current,
        status: 'cosigned',
        cosignature: call.body,
        cosigned_by: call.caller.person_id,
        reviews: [...(current.reviews ?? []), decisionOn(current, 'cosigned', call.body.by, '', call.now)],
      })
    },
    returnNote: (call) => async (db) => {
      const current = await awaiting(db, call)
      await keepVersion(db, call.practice, current, call.now)
      return changeNote(db, call, {
        ...current,
        status: 'returned',
        reviews: [...(current.reviews ?? []), decisionOn(current, 'returned', call.body.by, call.body.reason, call.now)],
      })
    },
    listNoteVersions: (call) => async (db) => {
      await requireReach(db, call, 'notes', call.params.id)
      // Gone with the note.
      await getNote(db, call.practice, call.params.id)
      return { status: 200, data: await pageOfVersions(db, call.practice, call.params.id, call.query), touched: [call.params.id] }
    },
    enterInError: (call) => async (db) => {
      const current = await currentOf(db, call)
      await requireOwnNote(db, call, current)
      if (!signed.includes(current.status)) throw new AppError('conflict', 'A draft can still be changed.')
      const { by, reason } = call.body
      return changeNote(db, call, { ...current, status: 'entered_in_error', entered_in_error: { by, reason, at: call.now } })
    },
  }
}

type Changing = Call<'cosignNote'> | Call<'returnNote'> | Call<'enterInError'>

async function currentOf(db: Write, call: Changing): Promise<Note> {
  await requireReach(db, call, 'notes', call.params.id)
  const current = await getNote(db, call.practice, call.params.id)
  requireVersion(call.ifMatch, current)
  return current
}

/** @throws AppError `conflict` where no supervisor is waited for */
async function awaiting(db: Write, call: Call<'cosignNote'> | Call<'returnNote'>): Promise<Note> {
  const current = await currentOf(db, call)
  await requireSuperviseesNote(db, call, current)
  if (current.status === 'awaiting_cosign') return current
  throw new AppError('conflict', 'This note does not wait for a supervisor.')
}

async function changeNote(db: Write, { practice, now }: Changing, next: Note): Promise<Reply<Note>> {
  const note = changed(next, now)
  await updateNote(db, practice, note)
  return { status: 200, data: note, record: { kind: 'note', id: note.id, version: note.version }, touched: [note.id] }
}

function decisionOn(note: Note, decision: 'cosigned' | 'returned', by: string, reason: string, at: string) {
  return { decision, by, at, reason, content_hash: note.signature?.content_hash ?? '' }
}
