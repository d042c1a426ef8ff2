import { z } from 'zod'
import { idSchema, timestampSchema } from './common.ts'
import { problemSchema } from './problem.ts'

/** Long work. `result` is the record the call would have answered with. */
export const operationSchema = z.object({
  id: idSchema,
  kind: z.enum(['transcribe', 'generate-note', 'analyze', 'install-model', 'verify-insurance']),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  progress: z.number().min(0).max(1),
  result: z.unknown().nullable(),
  problem: problemSchema.nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})

export type Operation = z.infer<typeof operationSchema>
