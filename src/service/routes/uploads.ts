import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { requireReach } from '#service/access/reach.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { insertUpload } from '../store/uploads.ts'

export function uploadHandlers({ audio, clock }: Services): HandlersOf<'createUpload'> {
  return {
    /** The audio stays where it stands and is complete at once. */
    createUpload: async (call) => {
      const { practice, body, now } = call
      const recording = (await audio?.stat(body.recording_id)) ?? null
      return async (db) => {
        if (recording === null) throw new AppError('not-found')
        const id = body.id ?? newId(clock)
        await requireReach(db, call, 'sessions', recording.session_id)
        const { bytes, session_id } = recording
        await insertUpload(
          db,
          practice,
          { id, session_id, recording_id: body.recording_id, media_type: body.media_type, bytes },
          null,
          now,
        )
        const data = { id, complete: true, bytes }
        return { status: 201, data, record: { kind: 'upload', id, version: 1 }, touched: [id, session_id] }
      }
    },
  }
}
