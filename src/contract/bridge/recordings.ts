import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, timestampSchema } from '../model/common.ts'
import { audioFormatSchema, gapReasonSchema, markSchema, recordingSchema } from '../model/recording.ts'
import { bytesSchema, method } from './method.ts'

/** Random name of the window. It survives a reload, but not a new launch. */
const windowIdSchema = z.string().min(8).max(64)
const sequenceSchema = z.int().min(0)

/** What is on disk. `next_sequence` is the number of the next record to send. */
export const durableSchema = z.object({ next_sequence: sequenceSchema, saved_ms: millisecondsSchema })

export const recordingMethods = {
  /** Fails with `consent-missing` unless everyone present agreed to be recorded. */
  'recordings.start': method(
    z.object({ session_id: idSchema, window_id: windowIdSchema, format: audioFormatSchema, device_label: lineSchema }),
    z.object({ recording_id: idSchema }).extend(durableSchema.shape),
  ),
  /**
   * One record of about 200 ms. The answer acknowledges it: by then it is encrypted, appended and synced to disk.
   * `packets`: 20 ms Opus packets, each prefixed with its length as unsigned 16-bit big-endian. `peak` and `rms`: 0 to 1.
   * Idempotent: a record already on disk is acknowledged again.
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
  /**
   * Attaches a window to a recording. The gap is null after a restart of the core, because unacknowledged records are sent
   * again; `reload` after a reload of the window; `interruption` after Resume on the recovery screen. The core measures the gap.
   */
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
  /** Finishes the recording, computes length and hash, and requests a transcript if the settings say so. */
  'recordings.finish': method(z.object({ recording_id: idSchema }), recordingSchema),
  /** Destroys the key first, then the file. Without the key, not even a copy of the file can be read. */
  'recordings.erase': method(z.object({ recording_id: idSchema }), recordingSchema),
  'recordings.get': method(z.object({ session_id: idSchema }), recordingSchema.nullable()),
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
        /** At most this much sound was lost at the end; null if unknown. */
        lost_ms_at_most: millisecondsSchema.nullable(),
      }),
    ),
  ),
  /** Finished recordings with damage that was not dismissed or has grown since. Newest session first. */
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
  /** Removes the recording from `recordings.damaged` unless the damage grows. The recording itself still shows it. */
  'recordings.dismissDamage': method(z.object({ recording_id: idSchema }), z.object({})),
  /** Peaks from 0 to 1, evenly spaced over the length of the audio. Each record stores its peak, so no sound is decoded. */
  'recordings.waveform': method(
    z.object({ recording_id: idSchema, buckets: z.int().min(1).max(2000) }),
    z.object({ peaks: z.array(z.number()), duration_ms: millisecondsSchema }),
  ),
  'recordings.addMark': method(z.object({ recording_id: idSchema, at_ms: millisecondsSchema, text: lineSchema }), markSchema),
  'recordings.renameMark': method(z.object({ recording_id: idSchema, mark_id: idSchema, text: lineSchema }), markSchema),
  'recordings.removeMark': method(z.object({ recording_id: idSchema, mark_id: idSchema }), z.object({})),
  'recordings.space': method(z.object({}), z.object({ free_bytes: z.int().min(0), hours: z.number().min(0) })),
} as const

export type Durable = z.infer<typeof durableSchema>
