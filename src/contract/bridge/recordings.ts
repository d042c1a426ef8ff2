import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, sha256Schema, timestampSchema } from '../model/common.ts'
import { audioFormatSchema, gapReasonSchema, markSchema, recordingSchema } from '../model/recording.ts'
import { bytesSchema, method } from './method.ts'

const windowIdSchema = z.string().min(8).max(64)
const sequenceSchema = z.int().min(0)

export const durableSchema = z.object({ next_sequence: sequenceSchema, saved_ms: millisecondsSchema })

/** `because`: why the audio is kept, or what its deletion waits for, if anything. */
const audioPlanSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('kept'), because: z.enum(['agreed', 'not-asked', 'your-decision', 'repaired']) }),
  z.object({
    outcome: z.literal('deleted-by-signing'),
    because: z.enum(['recording', 'transcript', 'unheard']).nullable(),
  }),
  z.object({
    outcome: z.literal('deleted-after-signing'),
    because: z.enum(['recording', 'transcript', 'cosignature', 'sync', 'check']).nullable(),
  }),
])

const deletionReceiptSchema = z.object({
  number: z.int().min(1),
  deleted_at: timestampSchema,
  deleted_by: lineSchema,
  reason: z.enum(['signed', 'by-hand']),
  started_at: timestampSchema,
  saved_ms: millisecondsSchema,
  ogg_sha256: sha256Schema.nullable(),
  note_sha256: sha256Schema.nullable(),
})

export const recordingMethods = {
  /** Fails unless everyone present consented to the recording. */
  'recordings.start': method(
    z.object({ session_id: idSchema, window_id: windowIdSchema, format: audioFormatSchema, device_label: lineSchema }),
    z.object({ recording_id: idSchema }).extend(durableSchema.shape),
  ),
  /**
   * Stores about 200 ms of sound. The answer comes after the sound is encrypted and synced to disk. `packets`: Opus packets of
   * 20 ms, each preceded by its length (unsigned 16-bit big-endian).
   */
  'recordings.append': method(
    z.object({
      recording_id: idSchema,
      sequence: sequenceSchema,
      packets: bytesSchema,
      peak: z.number().min(0).max(1),
      rms: z.number().min(0).max(1),
    }),
    durableSchema,
  ),
  'recordings.attach': method(
    z.object({
      recording_id: idSchema,
      window_id: windowIdSchema,
      format: audioFormatSchema,
      device_label: lineSchema,
      gap: gapReasonSchema.nullable(),
    }),
    durableSchema,
  ),
  'recordings.pause': method(z.object({ recording_id: idSchema }), recordingSchema),
  'recordings.resume': method(z.object({ recording_id: idSchema }), recordingSchema),
  'recordings.finish': method(z.object({ recording_id: idSchema }), recordingSchema),
  'recordings.erase': method(z.object({ recording_id: idSchema }), recordingSchema),
  'recordings.get': method(z.object({ session_id: idSchema }), recordingSchema.nullable()),
  'recordings.retention': method(
    z.object({ session_id: idSchema }),
    z.object({ plan: audioPlanSchema.nullable(), receipt: deletionReceiptSchema.nullable() }),
  ),
  'recordings.active': method(
    z.object({}),
    z
      .object({ recording: recordingSchema, client_name: lineSchema, window_id: windowIdSchema, started_at: timestampSchema })
      .nullable(),
  ),
  'recordings.recoverable': method(
    z.object({}),
    z.array(
      z.object({
        recording: recordingSchema,
        client_name: lineSchema,
        session_starts_at: timestampSchema,
        interrupted_at: timestampSchema,
        lost_ms_at_most: millisecondsSchema.nullable(),
      }),
    ),
  ),
  'recordings.damaged': method(
    z.object({}),
    z.array(
      z.object({
        recording_id: idSchema,
        session_id: idSchema,
        client_name: lineSchema,
        session_starts_at: timestampSchema,
        saved_ms: millisecondsSchema,
        unreadable_ms: millisecondsSchema,
      }),
    ),
  ),
  'recordings.dismissDamage': method(z.object({ recording_id: idSchema }), z.object({})),
  'recordings.waveform': method(
    z.object({ recording_id: idSchema, buckets: z.int().min(1).max(2000) }),
    z.object({ peaks: z.array(z.number()), duration_ms: millisecondsSchema }),
  ),
  'recordings.addMark': method(z.object({ recording_id: idSchema, at_ms: millisecondsSchema, text: lineSchema }), markSchema),
  'recordings.renameMark': method(z.object({ recording_id: idSchema, mark_id: idSchema, text: lineSchema }), markSchema),
  'recordings.removeMark': method(z.object({ recording_id: idSchema, mark_id: idSchema }), z.object({})),
  'recordings.space': method(z.object({}), z.object({ free_bytes: z.int().min(0), hours: z.number().min(0) })),
} as const

export type AudioPlan = z.infer<typeof audioPlanSchema>
export type DeletionReceipt = z.infer<typeof deletionReceiptSchema>
export type Durable = z.infer<typeof durableSchema>
