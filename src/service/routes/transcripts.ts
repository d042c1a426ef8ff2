import { AppError } from '#contract/errors.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { requireReach, rowsWithin } from '#service/access/reach.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import { requireVersion, Stale } from '#service/kernel/stale.ts'
import { atFreeId, changed, isKept, newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { getTranscript, insertTranscript, listTranscripts, updateTranscript } from '../store/transcripts.ts'

export function transcriptHandlers(): HandlersOf<'listTranscripts' | 'getTranscript' | 'putTranscript'> {
  return {
    listTranscripts:
      ({ practice, query, scope }) =>
      async (db) => {
        const data = await listTranscripts(db, practice, query, rowsWithin('transcripts', scope))
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getTranscript: (call) => async (db) => ({ status: 200, data: await transcriptFor(db, call), touched: [call.params.id] }),
    putTranscript: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const { id: _named, ...draft } = body
      const current = (await isKept(db, 'transcripts', practice, params.id)) ? await transcriptFor(db, call) : null
      if (current) requireVersion(ifMatch, current)
      else if (ifMatch !== null) throw new Stale(null)
      if (draft.session_id !== null) await requireReach(db, call, 'sessions', draft.session_id)
      if (draft.session_id !== null) await getSession(db, practice, draft.session_id)
      // Whose words they are decides what holds for them.
      if (current && current.session_id !== draft.session_id)
        throw new AppError('conflict', 'A transcript stays with its session. Store these words as another one.')
      const transcript: Transcript = current ? changed({ ...current, ...draft }, now) : { ...draft, ...newRecord(params.id, now) }
      if (current) await updateTranscript(db, practice, transcript)
      else await atFreeId(db, 'transcripts', params.id, () => insertTranscript(db, practice, transcript, call.caller.person_id))
      return { status: current ? 200 : 201, data: transcript, touched: [params.id] }
    },
  }
}

async function transcriptFor(db: Database, call: Call<'getTranscript'> | Call<'putTranscript'>): Promise<Transcript> {
  await requireReach(db, call, 'transcripts', call.params.id)
  return getTranscript(db, call.practice, call.params.id)
}
