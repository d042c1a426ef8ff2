import { AppError } from '#contract/errors.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import type { Outbox } from './outbox.ts'
import { failedWith, type Sending } from './sending.ts'

interface Parts {
  readonly audio: RecordingAudio
  readonly outbox: Outbox
  readonly clock: Clock
}

/**
 * Lets the service have a recording: where it stands, if the service can read it there, else sent in parts from where
 * the last attempt came to. No byte of it is on disk in plain on the way. Returns the upload's id.
 */
export async function sendAudio(parts: Parts, { intent, client, options }: Sending<'transcribe'>): Promise<string> {
  const { recording_id, upload_id, upload_key } = intent.body
  const { signal } = options
  const body = { id: upload_id, recording_id, media_type: 'audio/ogg' } as const
  try {
    await client.call('createUpload', { idempotencyKey: upload_key, signal, body })
  } catch (error) {
    if (failedWith(error, 'already-exists')) return upload_id
    if (!failedWith(error, 'not-found')) throw error
    return sendParts(parts, { intent, client, options })
  }
  return upload_id
}

async function sendParts({ audio, outbox, clock }: Parts, { intent, client, options }: Sending<'transcribe'>): Promise<string> {
  const { recording_id, upload_id } = intent.body
  const recording = await audio.stat(recording_id)
  if (recording === null) throw new AppError('gone')
  const read = (start: number, end: number): AsyncIterable<Uint8Array> => audio.read(recording_id, start, end)
  const send = (id: string): Promise<boolean> => client.upload({ ...recording, id, read }, { signal: options.signal })
  try {
    await send(upload_id)
    return upload_id
  } catch (error) {
    if (!failedWith(error, 'gone', 'already-exists')) throw error
    // Begun so long ago that the service gave it up, or is still putting it away: begun anew, under another name.
    const anew = { ...intent.body, upload_id: newId(clock), upload_key: newId(clock) }
    outbox.remember(intent.id, anew)
    await send(anew.upload_id)
    return anew.upload_id
  }
}
