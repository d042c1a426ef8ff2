import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, timestampSchema } from './common.ts'

/** The audio format a recorder announces; one mono Opus stream, 20 ms packets (RFC 6716). */
export const audioFormatSchema = z.object({
  codec: z.literal('opus'),
  /** Rate of the microphone track, for information; Opus runs at 48 kHz. */
  input_sample_rate: z.int().min(8000).max(192_000),
  channels: z.literal(1),
  bitrate: z.int().min(6000).max(128_000),
  /** Samples at 48 kHz to skip at the start (RFC 7845, 4.2). */
  pre_skip: z.int().min(0).max(48_000),
})

export const gapReasonSchema = z.enum(['pause', 'reload', 'interruption', 'device', 'damage', 'struck'])

/**
 * A stretch with no sound: `at_ms` on the audio's clock, `duration_ms` of wall time. `damage` alone is part of the audio's
 * length: sound that was stored and can't be read.
 */
export const gapSchema = z.object({ at_ms: millisecondsSchema, duration_ms: z.int().min(0), reason: gapReasonSchema })

/** A typed moment. */
export const markSchema = z.object({ id: idSchema, at_ms: millisecondsSchema, text: lineSchema, created_at: timestampSchema })

/**
 * `recording`, `paused`: a window feeds it. `interrupted`: no window feeds it any more; asks for Resume, Finish or Discard.
 */
export const recordingStateSchema = z.enum(['recording', 'paused', 'interrupted', 'finished', 'erased'])

export const recordingSchema = z.object({
  id: idSchema,
  session_id: idSchema,
  state: recordingStateSchema,
  started_at: timestampSchema,
  finished_at: timestampSchema.nullable(),
  /** What is durable, counted in samples. */
  saved_ms: millisecondsSchema,
  bytes: z.int().min(0),
  gaps: z.array(gapSchema),
  marks: z.array(markSchema),
  device_label: lineSchema,
  /** Of the Ogg file this recording muxes to; known once it is finished. */
  ogg_bytes: z.int().min(0).nullable(),
  ogg_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** When its file was last read to the end; null where it never was since it was finished. */
  checked_at: timestampSchema.nullable(),
  erased_at: timestampSchema.nullable(),
})

export type AudioFormat = z.infer<typeof audioFormatSchema>
export type Gap = z.infer<typeof gapSchema>
export type GapReason = z.infer<typeof gapReasonSchema>
export type Mark = z.infer<typeof markSchema>
export type Recording = z.infer<typeof recordingSchema>
