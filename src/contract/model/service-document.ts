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
  'reassignments',
  'coverage',
  'payers',
  'me',
  'api_keys',
  'audit',
  'psychotherapy_notes',
  'cosign',
  'retention',
])

export const engineStateSchema = z
  .object({
    name: z.string().describe('Name of the engine, for example `rules`.'),
    ready: z.boolean().describe('True if it can be used now.'),
    hint: z.string().nullable().describe('What to do if it is not ready; null if it is.'),
  })
  .meta({ id: 'EngineState', description: 'State of one engine.' })

export const serviceDocumentSchema = z
  .object({
    name: z.string().describe('Name of the service.'),
    version: z.string().describe('Release of the program. The API document has a version of its own: `info.version`.'),
    api_version: z.literal('1').describe('Major version of the API, the `/v1` of its addresses.'),
    engines: z
      .object({
        speech: engineStateSchema.describe('Engine that transcribes audio.'),
        language: engineStateSchema.describe('Engine that writes drafts.'),
        payer: engineStateSchema.describe('Engine that asks payers.'),
      })
      .describe('State of the engines.'),
    capabilities: z.array(z.string()).describe('Extensions this service offers. Ignore names you do not know.'),
  })
  .meta({ id: 'ServiceDocument', description: 'What this service is and offers.' })

export type Capability = z.infer<typeof capabilitySchema>
export type ServiceDocument = z.infer<typeof serviceDocumentSchema>
export type EngineState = z.infer<typeof engineStateSchema>
