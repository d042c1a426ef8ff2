import { z } from 'zod'
import type { Engine } from '#contract/model/transcript.ts'
import { recognizerKindSchema } from '#contract/model/speech-model.ts'

export type FileKind = 'flac' | 'mp3' | 'm4a'

export interface SpeechRequest {
  readonly wav: Uint8Array<ArrayBuffer>
  /** If set, `wav` contains an unchanged file of this type instead of WAV, and `duration_ms` is an upper limit. */
  readonly file?: FileKind
  readonly duration_ms: number
  readonly language: string | null
  readonly vocabulary: readonly string[]
}

export const heardWordSchema = z.object({
  text: z.string(),
  start_ms: z.number(),
  end_ms: z.number(),
  confidence: z.number().min(0).max(1).nullable(),
})
export type HeardWord = Readonly<z.infer<typeof heardWordSchema>>

export interface HeardSegment extends HeardWord {
  readonly speaker: string | null
  readonly words: readonly HeardWord[]
}

export interface Heard {
  readonly segments: readonly HeardSegment[]
  readonly language: string | null
}

export interface SpeechPort {
  readonly engine: Engine
  transcribe(request: SpeechRequest, signal: AbortSignal): Promise<Heard>
}

export const noSpeech =
  'Transcription isn’t set up. Install a speech-to-text model, enter the address of an OpenAI-compatible speech server, or import or type the transcript.'

export const recognizerModelSchema = z.object({
  kind: recognizerKindSchema,
  name: z.string(),
  files: z.record(z.string(), z.string()),
})
export type RecognizerModel = z.infer<typeof recognizerModelSchema>

export interface InstalledModels {
  speech(): RecognizerModel | null
  vad(): string | null
  segmentation(): string | null
  embedding(): string | null
  denoiser(): string | null
}

export const samplesSchema = z.custom<Float32Array>((value) => value instanceof Float32Array)

export const diarizerOptionsSchema = z.object({
  segmentation: z.string(),
  embedding: z.string(),
  voices: z.int().min(1).nullable(),
  enrolled: z.array(z.object({ id: z.string(), embedding: samplesSchema })),
  kept: z.string().nullable(),
})
type AllOptions = Readonly<z.infer<typeof diarizerOptionsSchema>>
export type DiarizerOptions = Omit<AllOptions, 'kept'> & Partial<AllOptions>
export type EnrolledVoice = AllOptions['enrolled'][number]

export const spokenSchema = z.object({ start_ms: z.number(), end_ms: z.number() })
export type SpokenStretch = Readonly<z.infer<typeof spokenSchema>>

/** If the turns of one voice sound like two people, `part` (0 or 1) is the group that this turn belongs to; otherwise it is 0. */
const voiceTurnSchema = spokenSchema.extend({ voice: z.int().nullable(), part: z.int().min(0) })
export type VoiceTurn = Readonly<z.infer<typeof voiceTurnSchema>>

const foundVoiceSchema = z.object({
  voice: z.int(),
  embedding: samplesSchema,
  spoken_ms: z.number(),
  enrolled_id: z.string().nullable(),
})
export type FoundVoice = Readonly<z.infer<typeof foundVoiceSchema>>

export const diarizedSchema = z.object({ turns: z.array(voiceTurnSchema), voices: z.array(foundVoiceSchema) })
export type Diarized = z.infer<typeof diarizedSchema>

export interface Diarizer {
  /** Takes 16 kHz mono audio in order. The library frees memory only between event loop turns, so yield between calls. */
  accept(samples: Float32Array): void
  /**
   * Returns the state, without audio, for a run that resumes later. A resumed run gives the same result as an uninterrupted run
   * with the same `keep` calls.
   */
  keep(): string | null
  /** If `spoken` is given, a stretch of a voice counts only if at least half of the stretch is inside `spoken`. */
  finish(spoken?: readonly SpokenStretch[]): Diarized
}

export const SAMPLE_RATE = 16_000
export const WAV_HEADER_BYTES = 44

export function writeWavHeader(bytes: Uint8Array, samples: number): void {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, WAV_HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + samples * 2, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples * 2, 40)
}

const codes =
  'en de fr es it pt nl pl ru uk tr ar he zh ja ko hi sv da nb fi cs hu ro el bg hr sr sk sl lt lv et fa ur vi th id ta bn ca'

export function languageCode(told: string | null): string | null {
  if (told === null) return null
  const plain = told.trim().toLowerCase()
  if (/^[a-z]{2,3}$/.test(plain)) return plain
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  return codes.split(' ').find((code) => names.of(code)?.toLowerCase() === plain) ?? null
}
