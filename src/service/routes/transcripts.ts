import { AppError } from '#contract/errors.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { HandlersOf } from '../handler.ts'
import { requireVersion, Stale } from '../stale.ts'
import { changed, isTaken, newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import { findTranscript, getTranscript, insertTranscript, listTranscripts, updateTranscript } from '../store/transcripts.ts'

export function transcriptHandlers(): HandlersOf<'listTranscripts' | 'getTranscript' | 'putTranscript'> {
  return {
    listTranscripts:
      ({ practice, query }) =>
      async (db) => {
        const data = await listTranscripts(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getTranscript:
      ({ practice, params }) =>
      async (db) => ({
        status: 200,
        data: await getTranscript(db, practice, params.id),
        touched: [params.id],
      }),
    putTranscript:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const { id: _named, ...draft } = body
        const current = await findTranscript(db, practice, params.id)
        if (current) requireVersion(ifMatch, current)
        else if (ifMatch !== null) throw new Stale(null)
        if (draft.session_id !== null) await getSession(db, practice, draft.session_id)
        const transcript: Transcript = current
          ? changed({ ...current, ...draft }, now)
          : { ...draft, ...newRecord(params.id, now) }
        if (current) await updateTranscript(db, practice, transcript)
        // Another practice's id is no record of this one.
        else if (await isTaken(db, 'transcripts', params.id)) throw new AppError('not-found')
        else await insertTranscript(db, practice, transcript)
        return { status: current ? 200 : 201, data: transcript, touched: [params.id] }
      },
  }
}
