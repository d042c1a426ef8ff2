import { z } from 'zod'
import { named } from './common.ts'

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

export const engineStateSchema = named('EngineState', 'State of one engine.', {
  name: z.string().describe('Name of the engine, for example `rules`.'),
  ready: z.boolean().describe('True if it can be used now.'),
  hint: z.string().nullable().describe('What to do if it is not ready; null if it is.'),
})

export const serviceDocumentSchema = named('ServiceDocument', 'What this service is and offers.', {
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

export type Capability = z.infer<typeof capabilitySchema>
export type ServiceDocument = z.infer<typeof serviceDocumentSchema>
export type EngineState = z.infer<typeof engineStateSchema>

export const protectedResourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  afterword_desktop: z.object({ issuer: z.string(), client_id: z.string(), scopes: z.array(z.string()) }).nullable(),
})

export type ProtectedResource = z.infer<typeof protectedResourceSchema>
