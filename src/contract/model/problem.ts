import { z } from 'zod'
import { scheduleConflictSchema, scheduleProposalSchema } from './schedule.ts'

/** RFC 9457. No member ever carries a request value, a stack or anything about a client. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  retryable: z.boolean(),
  request_id: z.string(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), message: z.string() })).optional(),
  /** With 412: the record as it stands now. */
  current: z.unknown().optional(),
  /** With 409 of `POST /ai/schedule`: what is in the way, and times that can be had instead. */
  conflicts: z.array(scheduleConflictSchema).optional(),
  proposals: z.array(scheduleProposalSchema).optional(),
})

export type Problem = z.infer<typeof problemSchema>
