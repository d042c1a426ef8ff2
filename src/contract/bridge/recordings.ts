import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, timestampSchema } from '../model/common.ts'
import { audioFormatSchema, gapReasonSchema, markSchema, recordingSchema } from '../model/recording.ts'
import { bytesSchema, method } from './method.ts'

/** A window's own random name, kept in sessionStorage: a reload has the same one, a new launch another. */
const windowIdSchema = z.string().min(8).max(64)
const sequenceSchema = z.int().min(0)

/** What the core has on disk. `next_sequence` is the first record it has not. */
export const durableSchema = z.object({ next_sequence: sequenceSchema, saved_ms: millisecondsSchema })

export const recordingMethods = {
  /** Refused without valid recording consent of everyone present. */
  'recordings.start': method(
    z.object({ session_id: idSchema, window_id: windowIdSchema, format: audioFormatSchema, device_label: lineSchema }),
    z.object({ recording_id: idSchema }).extend(durableSchema.shape),
  ),
  /**
   * One record of about 200 ms. Sealed, appended and synced before the answer: the answer is the acknowledgement.
   * `packets`: Opus packets of 20 ms, each after its length as unsigned 16-bit big-endian. `peak` and `rms` of the
   * same samples, 0 to 1. A record that is already on disk is acknowledged again and not written twice.
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
   * A window takes up a recording: after the core restarted (no gap, the records it still holds are sent again), after
   * a reload (`reload`), or by Resume on the recovery screen (`interruption`). The gap's length is measured by the core.
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
  /** Ends it, computes length and hash, and asks for the transcript if the settings say so. */
  'recordings.finish': method(z.object({ recording_id: idSchema }), recordingSchema),
  /** Crypto-shredding: its key is destroyed first, then the file. There is no way back. */
  'recordings.erase': method(z.object({ recording_id: idSchema }), recordingSchema),
  'recordings.get': method(z.object({ session_id: idSchema }), recordingSchema.nullable()),
  /** The recording that is running or paused, and the window that feeds it. */
  'recordings.active': method(
    z.object({}),
    z
      .object({ recording: recordingSchema, client_name: lineSchema, window_id: windowIdSchema, started_at: timestampSchema })
      .nullable(),
  ),
  /** What was cut off: shown on the next launch until somebody decides. */
  'recordings.recoverable': method(
    z.object({}),
    z.array(
      z.object({
        recording: recordingSchema,
        client_name: lineSchema,
        session_starts_at: timestampSchema,
        interrupted_at: timestampSchema,
        /** Upper bound of what was spoken and not saved, where it is known. */
        lost_ms_at_most: millisecondsSchema.nullable(),
      }),
    ),
  ),
  /** Finished recordings with sound that can't be read, until each is dismissed or gets worse; newest session first. */
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
  /** The damage is no longer listed; the recording itself still shows it. */
  'recordings.dismissDamage': method(z.object({ recording_id: idSchema }), z.object({})),
  /** Peaks from 0 to 1, evenly over the audio's own clock; no sound is decoded for it. */
  'recordings.waveform': method(
    z.object({ recording_id: idSchema, buckets: z.int().min(1).max(2000) }),
    z.object({ peaks: z.array(z.number()), duration_ms: millisecondsSchema }),
  ),
  'recordings.addMark': method(z.object({ recording_id: idSchema, at_ms: millisecondsSchema, text: lineSchema }), markSchema),
  'recordings.renameMark': method(z.object({ recording_id: idSchema, mark_id: idSchema, text: lineSchema }), markSchema),
  'recordings.removeMark': method(z.object({ recording_id: idSchema, mark_id: idSchema }), z.object({})),
  /** Room on the disk for a recording, asked before one starts and shown while it runs. */
  'recordings.space': method(z.object({}), z.object({ free_bytes: z.int().min(0), hours: z.number().min(0) })),
} as const

export type Durable = z.infer<typeof durableSchema>
