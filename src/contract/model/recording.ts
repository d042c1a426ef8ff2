import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, sha256Schema, timestampSchema } from './common.ts'

/** One mono Opus stream in packets of 20 ms (RFC 6716), as the window encodes it. */
export const audioFormatSchema = z.object({
  codec: z.literal('opus'),
  input_sample_rate: z.int().min(8000).max(192_000),
  channels: z.literal(1),
  bitrate: z.int().min(6000).max(128_000),
  /** Samples at 48 kHz to skip at the start (RFC 7845, 4.2). */
  pre_skip: z.int().min(0).max(48_000),
})

export const gapReasonSchema = z.enum(['pause', 'reload', 'interruption', 'device', 'damage', 'struck'])

/** A `damage` gap is unreadable audio. A gap for another reason takes up no time in the audio. */
export const gapSchema = z.object({ at_ms: millisecondsSchema, duration_ms: z.int().min(0), reason: gapReasonSchema })

export const markSchema = z.object({ id: idSchema, at_ms: millisecondsSchema, text: lineSchema, created_at: timestampSchema })

/** `interrupted`: the recording is not finished, but no window sends sound to it, e.g. after a crash or a revoked consent. */
export const recordingStateSchema = z.enum(['recording', 'paused', 'interrupted', 'finished', 'erased'])

export const recordingSchema = z.object({
  id: idSchema,
  session_id: idSchema,
  state: recordingStateSchema,
  started_at: timestampSchema,
  finished_at: timestampSchema.nullable(),
  saved_ms: millisecondsSchema,
  bytes: z.int().min(0),
  gaps: z.array(gapSchema),
  marks: z.array(markSchema),
  device_label: lineSchema,
  ogg_bytes: z.int().min(0).nullable(),
  ogg_sha256: sha256Schema.nullable(),
  checked_at: timestampSchema.nullable(),
  erased_at: timestampSchema.nullable(),
})

export type AudioFormat = z.infer<typeof audioFormatSchema>
export type Gap = z.infer<typeof gapSchema>
export type GapReason = z.infer<typeof gapReasonSchema>
export type Mark = z.infer<typeof markSchema>
export type Recording = z.infer<typeof recordingSchema>
