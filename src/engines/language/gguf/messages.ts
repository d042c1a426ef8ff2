import { z } from 'zod'

export const orderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('load'),
    home: z.string(),
    file: z.string(),
    context_tokens: z.int(),
  }),
  z.object({
    kind: z.literal('ask'),
    id: z.int(),
    instructions: z.string(),
    prompt: z.string(),
    form: z.record(z.string(), z.unknown()),
    most_tokens: z.int(),
  }),
  z.object({ kind: z.literal('cancel'), id: z.int() }),
])

/** Failure reason. Never contains text of a prompt or a library message. */
export const reasonSchema = z.enum(['not-installed', 'not-loaded', 'too-long', 'cancelled', 'failed'])

export const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loaded'), context_tokens: z.int() }),
  z.object({ kind: z.literal('text'), id: z.int(), piece: z.string() }),
  z.object({ kind: z.literal('done'), id: z.int(), is_cut: z.boolean(), read_tokens: z.int() }),
  z.object({ kind: z.literal('failed'), id: z.int().nullable(), reason: reasonSchema }),
])

export type Order = z.infer<typeof orderSchema>
export type Report = z.infer<typeof reportSchema>
export type Reason = z.infer<typeof reasonSchema>
