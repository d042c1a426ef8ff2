import { z } from 'zod'

export const capabilitySchema = z.enum([
  'clients.write',
  'sessions.sync',
  'transcripts',
  'notes',
  'templates',
  'consents',
  'uploads',
  'operations',
  'events',
  'models',
  'voices',
  'staff',
  'rooms',
  'availability',
  'break_glass',
  'coverage',
  'payers',
  'me',
  'api_keys',
  'audit',
  'psychotherapy_notes',
  'cosign',
  'retention',
])

export const engineStateSchema = z.object({
  name: z.string(),
  ready: z.boolean(),
  /** What to do when it is not ready. */
  hint: z.string().nullable(),
})

export const serviceDocumentSchema = z.object({
  name: z.string(),
  version: z.string(),
  api_version: z.literal('1'),
  engines: z.object({
    speech: engineStateSchema,
    language: engineStateSchema,
    payer: engineStateSchema,
  }),
  /** A newer service may offer more than this app knows; unknown names are kept. */
  capabilities: z.array(z.string()),
})

export type Capability = z.infer<typeof capabilitySchema>
export type ServiceDocument = z.infer<typeof serviceDocumentSchema>
export type EngineState = z.infer<typeof engineStateSchema>
