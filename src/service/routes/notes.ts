import { createHash } from 'node:crypto'
import { AppError } from '#contract/errors.ts'
import { canonicalAddendum, canonicalNote } from '#contract/model/note-canonical.ts'
import type { Note } from '#contract/model/note.ts'
import type { HandlersOf } from '../handler.ts'
import { requireVersion, Stale } from '../stale.ts'
import { getClient } from '../store/clients.ts'
import { findNote, getNote, insertNote, listNotes, updateNote } from '../store/notes.ts'
import { changed, isTaken, newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'

const changeable: readonly Note['status'][] = ['draft', 'in_review', 'returned']
const amendable: readonly Note['status'][] = ['signed', 'awaiting_cosign', 'cosigned', 'amended']

type Drafting = 'listNotes' | 'getNote' | 'putNote'
type Signing = 'signNote' | 'addAddendum'

export function noteHandlers(): HandlersOf<Drafting | Signing> {
  return { ...draftingHandlers(), ...signingHandlers() }
}

function draftingHandlers(): HandlersOf<Drafting> {
  return {
    listNotes:
      ({ practice, query }) =>
      async (db) => {
        const data = await listNotes(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getNote:
      ({ practice, params }) =>
      async (db) => ({
        status: 200,
        data: await getNote(db, practice, params.id),
        touched: [params.id],
      }),
    putNote:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const { id: _named, ...draft } = body
        const current = await findNote(db, practice, params.id)
        if (current) refuseSigned(current)
        if (current) requireVersion(ifMatch, current)
        else if (ifMatch !== null) throw new Stale(null)
        if (draft.session_id !== null) await getSession(db, practice, draft.session_id)
        if (draft.client_id !== null) await getClient(db, practice, draft.client_id)
        const note: Note = current
          ? changed({ ...current, ...draft }, now)
          : { ...draft, ...newRecord(params.id, now), status: 'draft', signature: null, addenda: [] }
        if (current) await updateNote(db, practice, note)
        // Another practice's id is no record of this one.
        else if (await isTaken(db, 'notes', params.id)) throw new AppError('not-found')
        else await insertNote(db, practice, note)
        return { status: current ? 200 : 201, data: note, touched: [params.id] }
      },
  }
}

function signingHandlers(): HandlersOf<Signing> {
  return {
    signNote:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const current = await getNote(db, practice, params.id)
        refuseSigned(current)
        requireVersion(ifMatch, current)
        if (!isReady(current)) throw new AppError('not-ready-to-sign')
        if (sha256(canonicalNote(current)) !== body.content_hash) {
          throw new AppError('conflict', 'The signature is over another text than the one kept here.')
        }
        const note: Note = changed({ ...current, status: 'signed', signature: body }, now)
        await updateNote(db, practice, note)
        return { status: 200, data: note, record: { kind: 'note', id: note.id, version: note.version }, touched: [note.id] }
      },
    addAddendum:
      ({ practice, params, body, now }) =>
      async (db) => {
        const current = await getNote(db, practice, params.id)
        const { signature, addenda } = current
        if (signature === null || !amendable.includes(current.status)) {
          throw new AppError('conflict', 'An addendum follows a signed note; a draft can still be changed.')
        }
        if (addenda.some(({ id }) => id === body.id)) throw new AppError('already-exists')
        const previous = addenda.at(-1)?.content_hash ?? signature.content_hash
        if (sha256(canonicalAddendum(body, previous)) !== body.content_hash) {
          throw new AppError('conflict', 'The addendum does not follow on the last one kept here.')
        }
        const note: Note = changed({ ...current, status: 'amended', addenda: [...addenda, body] }, now)
        await updateNote(db, practice, note)
        return {
          status: 200,
          data: note,
          record: { kind: 'note', id: note.id, version: note.version },
          touched: [note.id, body.id],
        }
      },
  }
}

function refuseSigned(note: Note): void {
  if (!changeable.includes(note.status)) throw new AppError('already-signed')
}

/** Each high-risk statement has had a look of its own. */
function isReady(note: Note): boolean {
  return note.sections.every(({ statements }) => statements.every(({ safety, confirmed_at }) => !safety || confirmed_at !== null))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
