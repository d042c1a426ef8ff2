import { z } from 'zod'

/** Between the supervisor and the core's process. */
export const startMessageSchema = z.object({
  kind: z.literal('start'),
  folder: z.string(),
  origin: z.string(),
  start_locked: z.boolean(),
  secrets: z.object({
    cookie_name: z.string(),
    cookie_value: z.string(),
    window_key: z.string(),
    token: z.string().nullable(),
  }),
})
const tokenMessageSchema = z.object({ kind: z.literal('token'), token: z.string() })
/** A window's connection comes with this message, and is answered with `taken`. */
const connectionMessageSchema = z.object({ kind: z.literal('connection'), id: z.int() })
const closeMessageSchema = z.object({ kind: z.literal('close') })
export const toCoreSchema = z.discriminatedUnion('kind', [
  startMessageSchema,
  tokenMessageSchema,
  connectionMessageSchema,
  closeMessageSchema,
])

export const toSupervisorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('taken'), id: z.int() }),
  z.object({ kind: z.literal('token-used') }),
  z.object({ kind: z.literal('locked'), is_locked: z.boolean() }),
])

export type StartMessage = z.infer<typeof startMessageSchema>
export type ToCore = z.infer<typeof toCoreSchema>
export type ToSupervisor = z.infer<typeof toSupervisorSchema>
