import { AppError } from '#contract/errors.ts'
import type { PsychotherapyNote } from '#contract/model/note.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { type Call, foundReply, type HandlersOf, pageReply } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { requirePutVersion, requireVersion } from '#service/kernel/problem.ts'
import { getReached } from '#service/access/reach.ts'
import type { Author } from '../store/psychotherapy-notes.ts'
import {
  erasePsychotherapyNote,
  findPsychotherapyNote,
  getPsychotherapyNote,
  isPsychotherapyNoteTaken,
  listPsychotherapyNotes,
  putPsychotherapyNote,
} from '../store/psychotherapy-notes.ts'
import { changed, newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import { refuseHeld } from '../store/retention.ts'
import type { Write } from '../store/tables.ts'

type Operations = 'listPsychotherapyNotes' | 'getPsychotherapyNote' | 'putPsychotherapyNote' | 'deletePsychotherapyNote'

export function psychotherapyNoteHandlers({ psychotherapyKey: key }: Services): HandlersOf<Operations> {
  return {
    listPsychotherapyNotes: (call) => async (db) =>
      pageReply(await listPsychotherapyNotes(db, key, authorOf(call.caller), call.query)),
    getPsychotherapyNote: (call) => async (db) =>
      foundReply(await getPsychotherapyNote(db, key, authorOf(call.caller), call.params.id)),
    putPsychotherapyNote: (call) => async (db) => {
      const { caller, practice, params, body, ifMatch, now } = call
      const author = authorOf(caller)
      const current = await findPsychotherapyNote(db, key, author, params.id)
      requirePutVersion(ifMatch, current)
      if (current === null) await refuseUnfitting(db, call)
      const note: PsychotherapyNote = current
        ? changed({ ...current, ...body, client_id: current.client_id }, now)
        : { ...body, ...newRecord(params.id, now), author_id: author.person }
      await putPsychotherapyNote(db, key, practice, note)
      return { status: current ? 200 : 201, data: note, touched: [note.id, note.client_id] }
    },
    deletePsychotherapyNote:
      ({ caller, practice, params, ifMatch, now }) =>
      async (db) => {
        const author = authorOf(caller)
        const current = await getPsychotherapyNote(db, key, author, params.id)
        requireVersion(ifMatch, current)
        await refuseHeld(db, practice, current)
        await erasePsychotherapyNote(db, author, params.id, now)
        return { status: 204, data: undefined, touched: [params.id, current.client_id] }
      },
  }
}

async function refuseUnfitting(db: Write, call: Call<'putPsychotherapyNote'>): Promise<void> {
  const {
    practice,
    params: { id },
    body: { client_id, session_id },
  } = call
  await getReached(db, call, 'clients', client_id)
  const session = session_id === null ? null : await getSession(db, practice, session_id)
  const isOfAnother = session !== null && session.client_id !== client_id
  if (isOfAnother || (await isPsychotherapyNoteTaken(db, id))) throw new AppError('not-found')
}

const authorOf = ({ practice_id, person_id }: Caller): Author => ({ practice: practice_id, person: person_id })
