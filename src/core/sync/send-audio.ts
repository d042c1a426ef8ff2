import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { newId } from '#base/ids.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import type { Network } from '#base/metered-network.ts'
import type { Step } from './sync-loop.ts'

type Parts = Pick<RecordParts, 'outbox' | 'clock'> & { readonly audio: RecordingAudio; readonly uploads: UploadGate }

interface Sound {
  readonly bytes: number
  readonly sha256: string
  readonly session_id: string
  /** `furthest`: the most bytes the service had. `stalled`: consecutive turns without progress. */
  furthest: number
  stalled: number
}

const TURN_MS = 1500
const MAX_RESTARTS = 5
const MAX_STALLED = 20
const PIECES_BETWEEN_YIELDS = 50

/** Uploads a recording in parts, unless the service already has it or can read it in place. */
export function audioSender(parts: Parts) {
  const { outbox, uploads, clock } = parts
  const under = new WeakMap<ServiceClient, Map<string, Sound>>()
  const restarts = new Map<string, number>()

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
      return startOver(sending, error)
    }
    sounds.delete(recording_id)
    restarts.delete(intent.id)
    return upload_id
  }

  function startOver({ intent }: Sending<'transcribe'>, error: AppError): Later {
    const times = (restarts.get(intent.id) ?? 0) + 1
    restarts.set(intent.id, times)
    if (times > MAX_RESTARTS) throw error
    outbox.remember(intent.id, { ...intent.body, upload_id: newId(clock), upload_key: newId(clock) })
    return { state: 'later', after_ms: 0, code: null }
  }
}

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

export type Later = Extract<Step, { state: 'later' }>

interface GateParts {
  readonly settings: () => Pick<Settings, 'upload_limit' | 'upload_on_metered' | 'network_metered'>
  readonly network: Network
  readonly clock: Clock
}

const RECHECK_MS = 30_000
const KILOBYTE = 1000
const MIN_PART = 16 * 1024

export type UploadGate = ReturnType<typeof createUploadGate>

export function createUploadGate({ settings, network, clock }: GateParts) {
  let limited: { readonly limit: number; readonly bucket: ReturnType<typeof tokenBucket> } | null = null
  const bucket = () => {
    const { upload_limit: limit } = settings()
    if (limit === null) return (limited = null)
    if (limited?.limit !== limit) limited = { limit, bucket: tokenBucket(limit * KILOBYTE, clock) }
    return limited.bucket
  }
  return {
    async held(): Promise<Later | null> {
      const { upload_on_metered, network_metered } = settings()
      if (upload_on_metered) return null
      const isMetered = network_metered || (await network.isMetered()) === true
      return isMetered ? { state: 'later', after_ms: RECHECK_MS, code: 'network-metered' } : null
    },
    waitMs: () => bucket()?.waitMs() ?? 0,
    take: (bytes: number) => bucket()?.take(bytes),
    /**
     * The largest part in bytes: what the speed limit allows in one second, but at least `MIN_PART`. Undefined without a limit.
     */
    mostPart(): number | undefined {
      const { upload_limit: limit } = settings()
      return limit === null ? undefined : Math.max(MIN_PART, limit * KILOBYTE)
    },
  }
}

/** Saves at most one second of unused tokens. `take` may overdraw them; `waitMs` then tells how long to wait. */
export function tokenBucket(perSecond: number, clock: Pick<Clock, 'elapsed'>) {
  let held = perSecond
  let at = clock.elapsed()
  const fill = (): void => {
    const now = clock.elapsed()
    held = Math.min(perSecond, held + ((now - at) / 1000) * perSecond)
    at = now
  }
  return {
    waitMs(): number {
      fill()
      return held > 0 ? 0 : Math.max(1, Math.ceil((-held / perSecond) * 1000))
    },
    take(amount: number): void {
      fill()
      held -= amount
    },
  }
}
