import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'
import type { Later, UploadGate } from './upload-gate.ts'

interface Parts {
  readonly audio: RecordingAudio
  readonly outbox: Outbox
  readonly uploads: UploadGate
  readonly clock: Clock
}

interface Sound {
  readonly bytes: number
  readonly sha256: string
  readonly session_id: string
  /** Bytes that the service had at most, and turns since it last had more than ever. */
  furthest: number
  stalled: number
}

/** Once so much time went into it, the others get their turn. */
const TURN_MS = 1500
/** A service keeps what is begun for a day; one that gives it up again and again keeps nothing. */
const MAX_BEGINNINGS = 5
const MAX_STALLED = 20
const PIECES_BETWEEN_YIELDS = 50

/**
 * Lets the service have a recording: where it stands, if the service can read it there, else sent in parts from where
 * the last turn came to, a few at each turn. No byte of it is on disk in plain on the way. The upload's id once all of it
 * is there.
 */
export function audioSender(parts: Parts) {
  const { outbox, uploads, clock } = parts
  /** What goes up in parts to which service. */
  const under = new WeakMap<ServiceClient, Map<string, Sound>>()
  const begunAnew = new Map<string, number>()

  return async function sendAudio(sending: Sending<'transcribe'>): Promise<string | Later> {
    const { intent, client } = sending
    const { recording_id, upload_id } = intent.body
    const sounds = under.get(client) ?? new Map<string, Sound>()
    under.set(client, sounds)
    const sound = sounds.get(recording_id) ?? (await mustBeSent(parts, sending))
    if (sound === null) return upload_id
    sounds.set(recording_id, sound)
    const held = await uploads.held()
    if (held !== null) return held
    try {
      const before = sound.furthest
      if (!(await sendSome(parts, sending, sound))) {
        sound.stalled = sound.furthest > before ? 0 : sound.stalled + 1
        if (sound.stalled > MAX_STALLED) throw new AppError('upload-moved-on')
        return { state: 'later', after_ms: uploads.waitMs(), code: null }
      }
    } catch (error) {
      if (!failedWith(error, 'gone', 'already-exists', 'idempotency-mismatch')) throw error
      sounds.delete(recording_id)
      return beginAnew(sending, error)
    }
    sounds.delete(recording_id)
    begunAnew.delete(intent.id)
    return upload_id
  }

  /** The service gave it up, or is still putting it away, or other sound stands there: under another name, at the next turn. */
  function beginAnew({ intent }: Sending<'transcribe'>, error: AppError): Later {
    const times = (begunAnew.get(intent.id) ?? 0) + 1
    begunAnew.set(intent.id, times)
    if (times > MAX_BEGINNINGS) throw error
    outbox.remember(intent.id, { ...intent.body, upload_id: newId(clock), upload_key: newId(clock) })
    return { state: 'later', after_ms: 0, code: null }
  }
}

/** Null where the service can read it as it stands. */
async function mustBeSent(
  { audio }: Parts,
  { intent, client, options: { signal } }: Sending<'transcribe'>,
): Promise<Sound | null> {
  const { recording_id, upload_id, upload_key } = intent.body
  const body = { id: upload_id, recording_id, media_type: 'audio/ogg' } as const
  try {
    await client.call('createUpload', { idempotencyKey: upload_key, signal, body })
    return null
  } catch (error) {
    if (failedWith(error, 'already-exists')) return null
    if (!failedWith(error, 'not-found')) throw error
  }
  const recording = await audio.stat(recording_id)
  if (recording === null) throw new AppError('gone')
  const sha256 = recording.sha256 ?? (await hashOf(audio.read(recording_id)))
  return { ...recording, sha256, furthest: 0, stalled: 0 }
}

/** As much as one turn takes. True: all of it is there. */
function sendSome(
  { audio, outbox, uploads, clock }: Parts,
  { intent, client, options: { signal } }: Sending<'transcribe'>,
  sound: Sound,
): Promise<boolean> {
  const { recording_id, upload_id: id } = intent.body
  const read = (start: number, end: number): AsyncIterable<Uint8Array> => audio.read(recording_id, start, end)
  const onOffset = (offset: number): void => {
    sound.furthest = Math.max(sound.furthest, offset)
    outbox.progress(intent.id, offset / sound.bytes)
  }
  const until = clock.elapsed() + TURN_MS
  const mayGoOn = (bytes: number): boolean => {
    if (uploads.waitMs() > 0 || clock.elapsed() >= until) return false
    uploads.take(bytes)
    return true
  }
  const mostPart = uploads.mostPart()
  return client.upload({ ...sound, id, read }, { signal, onOffset, mayGoOn, ...(mostPart === undefined ? {} : { mostPart }) })
}

/** Damage has changed what was measured when it was finished. */
async function hashOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  let count = 0
  for await (const piece of pieces) {
    hash.update(piece)
    count += 1
    if (count % PIECES_BETWEEN_YIELDS === 0) await yieldToOthers()
  }
  return hash.digest('hex')
}
