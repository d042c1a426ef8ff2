import { createHash } from 'node:crypto'
import { AppError } from '#contract/errors.ts'
import { canonicalAddendum, canonicalNote } from '#domain/canonical-note.ts'
import { unconfirmedSafety } from '#domain/note-review.ts'
import type { Note } from '#contract/model/note.ts'
import { getReached, requireOwnNote, requireReach, requireSuperviseesNote, rowsWithin } from '#service/access/reach.ts'
import { type Call, foundReply, type HandlersOf, pageReply, putReply, type Reply } from '#service/access/call.ts'
import { pointerTo, requirePutVersion, requireVersion } from '#service/kernel/problem.ts'
import { withoutQuotes } from '../retention/sweep.ts'
import { getClient } from '../store/clients.ts'
import { getNote, keepVersion, listNotes, pageOfVersions, putNote, updateNote } from '../store/notes.ts'
import { changed, isKept, newRecord } from '../store/records.ts'
import { isSourceErased } from '../store/retention.ts'
import { findStaff } from '../store/staff.ts'
import type { Database, Write } from '../store/tables.ts'

const otherHash =
  '`content_hash` is not the hash of the stored note. The note is not signed. Read the note again, hash it as the operation describes, and send the hash with the new version.'

const changeable: readonly Note['status'][] = ['draft', 'in_review', 'returned']
const amendable: readonly Note['status'][] = ['signed', 'awaiting_cosign', 'cosigned', 'amended']

type Drafting = 'listNotes' | 'getNote' | 'putNote'
type Signing = 'signNote' | 'addAddendum'

export function noteHandlers(): HandlersOf<Drafting | Signing> {
  return { ...draftingHandlers(), ...signingHandlers() }
}

function draftingHandlers(): HandlersOf<Drafting> {
  return {
    listNotes: (call) => async (db) => pageReply(await listNotes(db, call.practice, call.query, rowsWithin('notes', call.scope))),
    getNote: (call) => async (db) => foundReply(await noteFor(db, call)),
    putNote: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const { id: _named, ...draft } = body
      const current = (await isKept(db, 'notes', practice, params.id)) ? await noteFor(db, call) : null
      if (current) refuseSigned(current)
      requirePutVersion(ifMatch, current)
      await requireOwn(db, call)
      const put: Note = current
        ? changed({ ...current, ...draft, redacted: undefined }, now)
        : { ...draft, ...newRecord(params.id, now), status: 'draft', signature: null, addenda: [] }
      const note = (await isSourceErased(db, practice, put.session_id)) ? erasedAsPut(put, now) : put
      await putNote(db, practice, note, call.caller.person_id)
      return putReply(note)
    },
  }
}

function signingHandlers(): HandlersOf<Signing> {
  return {
    signNote: (call) => async (db) => {
      const { practice, body, ifMatch, now } = call
      const current = await noteFor(db, call)
      await requireOwnNote(db, call, current)
      refuseSigned(current)
      requireVersion(ifMatch, current)
      requireConfirmed(current)
      if (!hashesOf(current).includes(body.content_hash)) throw new AppError('conflict', otherHash)
      // A cosignature of an earlier text does not apply to this one.
      const { cosignature: _earlier, cosigned_by: _whose, ...rest } = current
      const supervisor = (await findStaff(db, practice, call.caller.person_id))?.supervisor_id ?? null
      const status = supervisor === null ? 'signed' : 'awaiting_cosign'
      const signed: Note = changed({ ...rest, status, signature: body, signed_by: call.caller.person_id }, now)
      const note = (await isSourceErased(db, practice, signed.session_id)) ? withoutQuotes(signed, now) : signed
      return changedNote(db, practice, note)
    },
    addAddendum: (call) => async (db) => {
      const { practice, body, now } = call
      const current = await noteFor(db, call)
      await requireOwnNote(db, call, current)
      const { signature, addenda } = current
      if (signature === null || !amendable.includes(current.status))
        throw new AppError('conflict', 'An addendum follows a signed note; a draft can still be changed.')
      if (addenda.some(({ id }) => id === body.id)) throw new AppError('already-exists')
      const previous = addenda.at(-1)?.content_hash ?? signature.content_hash
      if (sha256(canonicalAddendum(body, previous)) !== body.content_hash)
        throw new AppError('conflict', 'The addendum does not follow on the last one kept here.')
      const status = current.status === 'awaiting_cosign' ? current.status : 'amended'
      const note: Note = changed({ ...current, status, addenda: [...addenda, body] }, now)
      const reply = await changedNote(db, practice, note)
      return { ...reply, touched: [note.id, body.id] }
    },
  }
}

async function noteFor(db: Database, call: Call<Exclude<Drafting | Signing | Operations, 'listNotes'>>): Promise<Note> {
  await requireReach(db, call, 'notes', call.params.id)
  return getNote(db, call.practice, call.params.id)
}

async function requireOwn(db: Database, call: Call<'putNote'>): Promise<void> {
  const { session_id, client_id } = call.body
  const session = session_id === null ? null : await getReached(db, call, 'sessions', session_id)
  if (client_id !== null && client_id !== session?.client_id) await requireReach(db, call, 'clients', client_id)
  if (client_id !== null) await getClient(db, call.practice, client_id)
}

/** Drops quotes of an erased transcript. `put_hash` lets the author sign the text they sent. */
function erasedAsPut(put: Note, now: string): Note {
  const left = withoutQuotes(put, now)
  const put_hash = sha256(canonicalNote(put))
  if (left.redacted === undefined || left.redacted.content_hash === put_hash) return put
  return { ...left, version: put.version, redacted: { ...left.redacted, put_hash } }
}

function hashesOf(note: Note): string[] {
  const hash = sha256(canonicalNote(note))
  const { redacted } = note
  return redacted?.put_hash !== undefined && redacted.content_hash === hash ? [hash, redacted.put_hash] : [hash]
}

function refuseSigned(note: Note): void {
  if (!changeable.includes(note.status)) throw new AppError('already-signed')
}

function requireConfirmed(note: Note): void {
  const fields = unconfirmedSafety(note).map(({ section, statement }) => ({
    pointer: pointerTo(['sections', section, 'statements', statement]),
    code: 'not_confirmed',
    message: 'This statement of the note has `safety: true` and no `confirmed_at`.',
  }))
  if (fields.length > 0) throw new AppError('not-ready-to-sign', unconfirmedDetail, fields)
}

const unconfirmedDetail =
  'Safety statements must be confirmed before signing. Send the note with `confirmed_at` set on each of them (PUT), then sign the answer.'

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Operations = 'cosignNote' | 'returnNote' | 'listNoteVersions' | 'enterInError'

export function cosignHandlers(): HandlersOf<Operations> {
  return {
    cosignNote: (call) => async (db) => {
      const current = await awaiting(db, call)
      if (sha256(canonicalNote(current)) !== call.body.content_hash)
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
      await noteFor(db, call)
      return { status: 200, data: await pageOfVersions(db, call.practice, call.params.id, call.query), touched: [call.params.id] }
    },
    enterInError: (call) => async (db) => {
      const current = await currentOf(db, call)
      await requireOwnNote(db, call, current)
      if (!amendable.includes(current.status)) throw new AppError('conflict', 'A draft can still be changed.')
      const { by, reason } = call.body
      return changeNote(db, call, { ...current, status: 'entered_in_error', entered_in_error: { by, reason, at: call.now } })
    },
  }
}

type Changing = Call<'cosignNote'> | Call<'returnNote'> | Call<'enterInError'>

async function currentOf(db: Write, call: Changing): Promise<Note> {
  const current = await noteFor(db, call)
  requireVersion(call.ifMatch, current)
  return current
}

async function awaiting(db: Write, call: Call<'cosignNote'> | Call<'returnNote'>): Promise<Note> {
  const current = await currentOf(db, call)
  await requireSuperviseesNote(db, call, current)
  if (current.status === 'awaiting_cosign') return current
  throw new AppError('conflict', 'This note does not wait for a supervisor.')
}

const changeNote = (db: Write, { practice, now }: Changing, next: Note): Promise<Reply<Note>> =>
  changedNote(db, practice, changed(next, now))

async function changedNote(db: Write, practice: string, note: Note): Promise<Reply<Note>> {
  await updateNote(db, practice, note)
  return { status: 200, data: note, record: { kind: 'note', id: note.id, version: note.version }, touched: [note.id] }
}

function decisionOn(note: Note, decision: 'cosigned' | 'returned', by: string, reason: string, at: string) {
  return { decision, by, at, reason, content_hash: note.signature?.content_hash ?? '' }
}
