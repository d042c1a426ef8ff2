import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Voice } from '#contract/model/me.ts'
import type { ServiceClient } from '#client/client.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import type { RecordingRepository } from '#core/recordings/recording-repository.ts'
import { dataIn } from '#core/outbox/sending.ts'
import { offered } from '#core/records/insurance/coverage-handlers.ts'
import { encodePage, PAGE_HEADER_BYTES } from '#core/recordings/ogg.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { TranscriptRepository } from '../transcripts/transcript-repository.ts'
import type { RecordParts } from '#core/records/repositories.ts'

const MIN_MS = 8000

interface Parts extends Pick<RecordParts, 'settings' | 'change'> {
  readonly client: () => ServiceClient
  readonly audio: RecordingAudio
  readonly transcripts: Pick<TranscriptRepository, 'ofSession'>
  readonly kept: Pick<RecordingRepository, 'ofSession'>
}

type Names = 'voices.get' | 'voices.enroll' | 'voices.enrollFromSession' | 'voices.remove'

export function voiceHandlers(parts: Parts): Handlers<Names> {
  const { client, settings, change } = parts
  const done = (action: string): void => change([], ({ audit }) => audit({ action, subject_id: settings().therapist_id }))
  async function enroll(sound: Buffer, media_type: string): Promise<Voice> {
    const { data } = await client().call('putVoice', { body: { audio: { content: sound.toString('base64'), media_type } } })
    done('voice.enrolled')
    return data
  }

  return {
    'voices.get': () => offered(() => dataIn(client().call('getVoice', {}))),
    'voices.enroll': ({ wav }) => enroll(Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength), 'audio/wav'),
    async 'voices.enrollFromSession'({ session_id }) {
      const transcript = parts.transcripts.ofSession(session_id)
      const recording = parts.kept.ofSession(session_id)
      if (transcript === null || recording?.state !== 'finished') throw new AppError('not-found')
      const turns = ownTurns(transcript)
      if (turns.reduce((sum, turn) => sum + lengthOf(turn), 0) < MIN_MS)
        throw new AppError('voice-unclear', 'You say too little here to be known by it. Take a session in which you say more.')
      const ogg = await cutSpeech(parts.audio.read(recording.id), turns)
      try {
        return await enroll(ogg, 'audio/ogg')
      } finally {
        ogg.fill(0)
      }
    },
    async 'voices.remove'() {
      const { data } = await client().call('deleteVoice', {})
      done('voice.removed')
      return data
    },
  }
}

const SAMPLES_PER_MS = 48
const PACKETS_PER_PAGE = 50

interface Page {
  readonly bytes: Buffer
  readonly granule: number
  readonly packets: readonly Buffer[]
}

export async function cutSpeech(ogg: AsyncIterable<Uint8Array>, stretches: readonly Stretch[]): Promise<Buffer> {
  const heads: Buffer[] = []
  const kept: Buffer[] = []
  const end = Math.max(0, ...stretches.map(({ end_ms }) => end_ms))
  let position = 0
  let perPacket = 0
  for await (const page of pagesIn(ogg)) {
    if (heads.length < 2) {
      heads.push(page.bytes)
      continue
    }
    if (page.packets.length === 0) continue
    perPacket ||= (page.granule - position) / page.packets.length
    for (const [at, packet] of page.packets.entries()) {
      const ms = (position + at * perPacket) / SAMPLES_PER_MS
      if (stretches.some(({ start_ms, end_ms }) => ms >= start_ms && ms < end_ms)) kept.push(packet)
    }
    position = page.granule
    if (position / SAMPLES_PER_MS >= end) break
  }
  return Buffer.concat([...heads, ...paged(kept, perPacket, heads[0]?.readUInt32LE(14) ?? 0)])
}

function paged(packets: readonly Buffer[], perPacket: number, serial: number): Buffer[] {
  const pages: Buffer[] = []
  for (let from = 0; from < packets.length; from += PACKETS_PER_PAGE) {
    const part = packets.slice(from, from + PACKETS_PER_PAGE)
    const granule = Math.round((from + part.length) * perPacket)
    const isLast = from + PACKETS_PER_PAGE >= packets.length
    pages.push(encodePage({ serial, number: pages.length + 2, granule, isLast, packets: part }))
  }
  return pages
}

/** Assumes that no packet spans two pages, as in files from the app's muxer. */
async function* pagesIn(ogg: AsyncIterable<Uint8Array>): AsyncGenerator<Page> {
  let rest = Buffer.alloc(0)
  for await (const bytes of ogg) {
    rest = Buffer.concat([rest, bytes])
    for (let page = firstPage(rest); page !== null; page = firstPage(rest)) {
      yield page
      rest = rest.subarray(page.bytes.length)
    }
  }
}

function firstPage(bytes: Buffer): Page | null {
  if (bytes.length < PAGE_HEADER_BYTES) return null
  const body = PAGE_HEADER_BYTES + bytes[26]!
  if (bytes.length < body) return null
  const lacing = bytes.subarray(PAGE_HEADER_BYTES, body)
  const length = body + lacing.reduce((sum, value) => sum + value, 0)
  if (bytes.length < length) return null
  const packets: Buffer[] = []
  let [from, to] = [body, body]
  for (const value of lacing) {
    to += value
    if (value === 255) continue
    packets.push(bytes.subarray(from, to))
    from = to
  }
  return { bytes: bytes.subarray(0, length), granule: Number(bytes.readBigInt64LE(6)), packets }
}

type Stretch = Readonly<Record<'start_ms' | 'end_ms', number>>

const EDGE_MS = 250
const MIN_TURN_MS = 1500
const MAX_MS = 18_000

export function ownTurns({ segments, speakers }: Pick<Transcript, 'segments' | 'speakers'>): Stretch[] {
  const own = new Set(speakers.filter(({ role }) => role === 'therapist').map(({ id }) => id))
  const turns = segments
    .flatMap(({ speaker_id, start_ms, end_ms }) =>
      own.has(speaker_id ?? '') && start_ms !== null && end_ms !== null
        ? [{ start_ms: start_ms + EDGE_MS, end_ms: end_ms - EDGE_MS }]
        : [],
    )
    .filter((turn) => lengthOf(turn) >= MIN_TURN_MS)
    .toSorted((left, right) => lengthOf(right) - lengthOf(left))
  const chosen: Stretch[] = []
  let left = MAX_MS
  for (const { start_ms, end_ms } of turns) {
    if (left < MIN_TURN_MS) break
    const length = Math.min(left, end_ms - start_ms)
    chosen.push({ start_ms, end_ms: start_ms + length })
    left -= length
  }
  return chosen.toSorted((one, other) => one.start_ms - other.start_ms)
}

export const lengthOf = ({ start_ms, end_ms }: Stretch): number => end_ms - start_ms
