import { z } from 'zod'
import { idSchema, named, timestampSchema } from './common.ts'
import { problemSchema } from './problem.ts'

export const operationSchema = named('Operation', 'Long work. Poll it, or follow `GET /operations/{id}/events`.', {
  id: idSchema.describe('Id of the operation.'),
  kind: z.enum(['transcribe', 'generate-note', 'analyze', 'install-model', 'verify-insurance']).describe('What is being done.'),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).describe('Stage of the work.'),
  progress: z.number().min(0).max(1).describe('Share of the work that is done, 0 to 1.'),
  result: z.unknown().nullable().describe('Once it succeeded: the record the call would have answered with. Otherwise null.'),
  problem: problemSchema.nullable().describe('Once it failed: what went wrong. Otherwise null.'),
  created_at: timestampSchema.describe('When the work was requested.'),
  updated_at: timestampSchema.describe('When the status or progress last changed.'),
})

export type Operation = z.infer<typeof operationSchema>
