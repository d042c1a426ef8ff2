import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { requireReach } from '#service/access/reach.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { insertUpload } from '../store/uploads.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import { routes } from '#contract/rest/routes.ts'
import type { SentUpload } from '#contract/model/upload.ts'
import { openUpload } from '../uploads/complete.ts'
import type { tus } from '../uploads/tus.ts'

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

type SentUploads = 'beginUpload' | 'sendUpload' | 'getUpload' | 'endUpload'

/** Audio by tus, which speaks in headers; a GET says the same as a record. */
export function sentUploadHandlers(services: Services): HandlersOf<SentUploads> {
  const { blobs } = services
  const byTus = tusOf(services)
  return {
    beginUpload: (call, connection) => byTus(call, connection),
    sendUpload: (call, connection) => byTus(call, connection),
    endUpload: (call, connection) => byTus(call, connection),
    getUpload: async (call, connection) => {
      if (connection.request.method === 'HEAD') return byTus(call, connection)
      const upload = await openUpload(services, call, call.params.id)
      const { bytes: offset } = await blobs.state(upload.id)
      const data: SentUpload = {
        id: upload.id,
        session_id: upload.session_id,
        complete: upload.whole === 1,
        bytes: upload.bytes,
        offset,
        media_type: upload.media_type === '' ? null : upload.media_type,
        expires_at: upload.expires_at,
      }
      return Response.json(checkAnswer('getUpload', routes.getUpload, 200, data, services))
    },
  }
}

/** Loaded at the first upload: the service inside the desktop app receives none and ships without the library. */
function tusOf(services: Services): ReturnType<typeof tus> {
  let loading: Promise<ReturnType<typeof tus>> | null = null
  return async (call, connection) => {
    loading ??= import('../uploads/tus.ts').then((module) => module.tus(services))
    return (await loading)(call, connection)
  }
}
