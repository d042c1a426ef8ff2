import { z } from 'zod'

const openRecordingSchema = z.object({
  recording_id: z.string(),
  path: z.string(),
  key: z.instanceof(Uint8Array),
  window_id: z.string(),
})

/** The supervisor keeps these secrets, so that a restarted core process still recognizes open windows. */
const secretsSchema = z.object({
  /** Cookies ignore ports, so with a fixed name two servers on one host would overwrite each other's cookie. */
  cookie_name: z.string(),
  cookie_value: z.string(),
  /** The page contains this key. Server and window prove to each other that they know the key. */
  window_key: z.string(),
  token: z.string().nullable(),
})

export const startMessageSchema = z.object({
  kind: z.literal('start'),
  folder: z.string(),
  origin: z.string(),
  start_locked: z.boolean(),
  open_recordings: z.array(openRecordingSchema),
  secrets: secretsSchema,
})
export const toCoreSchema = z.discriminatedUnion('kind', [
  startMessageSchema,
  z.object({ kind: z.literal('token'), token: z.string() }),
  z.object({ kind: z.literal('connection'), id: z.int() }),
  z.object({ kind: z.literal('close') }),
])

export const toSupervisorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('taken'), id: z.int() }),
  z.object({ kind: z.literal('token-used') }),
  z.object({ kind: z.literal('locked'), is_locked: z.boolean() }),
  z.object({ kind: z.literal('open-recordings'), recordings: z.array(openRecordingSchema) }),
])

export type PreviewSecrets = z.infer<typeof secretsSchema>
export type OpenRecording = z.infer<typeof openRecordingSchema>
export type StartMessage = z.infer<typeof startMessageSchema>
export type ToCore = z.infer<typeof toCoreSchema>
export type ToSupervisor = z.infer<typeof toSupervisorSchema>
