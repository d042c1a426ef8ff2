import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, timestampSchema } from '../model/common.ts'
import { audioFormatSchema } from '../model/recording.ts'
import { method, nothing } from './method.ts'
import { durableSchema } from './recordings.ts'

const byId = z.object({ id: idSchema })
const windowIdSchema = z.string().min(8).max(64)

/** `section_key` is null if it is lost. */
const dictationSchema = z.object({
  id: idSchema,
  session_id: idSchema,
  section_key: lineSchema.nullable(),
  started_at: timestampSchema,
  saved_ms: millisecondsSchema,
})

/** A dictation is sound for the text of one note section. Its records are sent with `recordings.append`. */
export const dictationMethods = {
  /** `ready`: a speech engine on this computer can transcribe. `waiting`: dictations whose words are not in the note yet. */
  'dictations.list': method(
    z.object({ session_id: idSchema }),
    z.object({ ready: z.boolean(), waiting: z.array(dictationSchema.extend({ is_running: z.boolean() })) }),
  ),
  'dictations.start': method(
    z.object({ session_id: idSchema, section_key: lineSchema, window_id: windowIdSchema, format: audioFormatSchema }),
    byId.extend(durableSchema.shape),
  ),
  'dictations.attach': method(byId.extend({ window_id: windowIdSchema }), durableSchema),
  'dictations.finish': method(byId, z.object({ saved_ms: millisecondsSchema })),
  'dictations.transcribe': method(byId, z.object({ text: z.string() })),
  /** Deletes the sound. `accepted`: its words are in the note. */
  'dictations.delete': method(byId.extend({ accepted: z.boolean() }), nothing),
} as const

export type Dictation = z.infer<typeof dictationSchema>
