import { z } from 'zod'

/** Between the supervisor and the core's process. */
export const startMessageSchema = z.object({
  kind: z.literal('start'),
  folder: z.string(),
  port: z.int().min(0).max(65_535),
  start_locked: z.boolean(),
  secrets: z.object({ cookie_name: z.string(), cookie_value: z.string(), token: z.string().nullable() }),
})
const tokenMessageSchema = z.object({ kind: z.literal('token'), token: z.string() })
const closeMessageSchema = z.object({ kind: z.literal('close') })
export const toCoreSchema = z.discriminatedUnion('kind', [startMessageSchema, tokenMessageSchema, closeMessageSchema])

export const toSupervisorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), port: z.int() }),
  z.object({ kind: z.literal('token-used') }),
  z.object({ kind: z.literal('locked'), is_locked: z.boolean() }),
])

export type StartMessage = z.infer<typeof startMessageSchema>
export type ToCore = z.infer<typeof toCoreSchema>
export type ToSupervisor = z.infer<typeof toSupervisorSchema>
