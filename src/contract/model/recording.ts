import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, timestampSchema } from './common.ts'

/** One mono Opus stream in packets of 20 ms (RFC 6716), as the window encodes it. */
export const audioFormatSchema = z.object({
  codec: z.literal('opus'),
  /** Rate of the microphone track in Hz, for information only: Opus counts at 48 kHz. */
  input_sample_rate: z.int().min(8000).max(192_000),
  channels: z.literal(1),
  bitrate: z.int().min(6000).max(128_000),
  /** Samples at 48 kHz to skip at the start (RFC 7845, 4.2). */
  pre_skip: z.int().min(0).max(48_000),
})

export const gapReasonSchema = z.enum(['pause', 'reload', 'interruption', 'device', 'damage', 'struck'])

/**
 * A stretch without sound. `at_ms` is a position in the audio. Gaps take no time in the audio, except `damage`: sound that was
 * stored and can't be read. The `duration_ms` of the others is clock time.
 */
export const gapSchema = z.object({ at_ms: millisecondsSchema, duration_ms: z.int().min(0), reason: gapReasonSchema })

/** A moment that the therapist marked while recording. The therapist can add or change the text later. */
export const markSchema = z.object({ id: idSchema, at_ms: millisecondsSchema, text: lineSchema, created_at: timestampSchema })

/**
 * `recording`, `paused`: a window is attached. `interrupted`: no window is attached any more, and the therapist must choose
 * Resume, Finish or Discard.
 */
export const recordingStateSchema = z.enum(['recording', 'paused', 'interrupted', 'finished', 'erased'])

export const recordingSchema = z.object({
  id: idSchema,
  session_id: idSchema,
  state: recordingStateSchema,
  started_at: timestampSchema,
  finished_at: timestampSchema.nullable(),
  /** Length of the sound on disk, from its sample count. */
  saved_ms: millisecondsSchema,
  bytes: z.int().min(0),
  gaps: z.array(gapSchema),
  marks: z.array(markSchema),
  device_label: lineSchema,
  /** Size of the Ogg file made from this recording; null until it is finished. */
  ogg_bytes: z.int().min(0).nullable(),
  ogg_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** When the file was last checked by reading it to the end; null if it was not since the recording finished. */
  checked_at: timestampSchema.nullable(),
  erased_at: timestampSchema.nullable(),
})

export type AudioFormat = z.infer<typeof audioFormatSchema>
export type Gap = z.infer<typeof gapSchema>
export type GapReason = z.infer<typeof gapReasonSchema>
export type Mark = z.infer<typeof markSchema>
export type Recording = z.infer<typeof recordingSchema>
