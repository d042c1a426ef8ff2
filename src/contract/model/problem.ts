import { z } from 'zod'
import { scheduleConflictSchema, scheduleProposalSchema } from './schedule.ts'

export const problemSchema = z
  .object({
    type: z.string().describe('Stable URI of the kind of problem.'),
    title: z.string().describe('Short title of the kind of problem.'),
    status: z.int().describe("HTTP status, the same as the answer's."),
    detail: z.string().describe('What happened and what to do.'),
    code: z.string().describe('Stable code for programs, for example `validation-failed`.'),
    retryable: z.boolean().describe('True if the same call may succeed later without changes.'),
    request_id: z.string().describe("The answer's `X-Request-Id`; quote it when you report a problem."),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .describe(
              'JSON Pointer (RFC 6901) into the body, or `/name` of a parameter; with `not-ready-to-sign`, into the note.',
            ),
          code: z.string().describe('Stable code of the mistake.'),
          message: z.string().describe('The mistake in a few words.'),
        }),
      )
      .optional()
      .describe('The fields or parameters that are wrong.'),
    current: z.unknown().optional().describe('With 412: the record as it is now.'),
    conflicts: z.array(scheduleConflictSchema).optional().describe('With 409 of `POST /ai/schedule`: what is in the way.'),
    proposals: z.array(scheduleProposalSchema).optional().describe('With 409 of `POST /ai/schedule`: free times instead.'),
  })
  .meta({ id: 'Problem', description: 'What went wrong (RFC 9457). It never repeats a value of the request.' })

export type Problem = z.infer<typeof problemSchema>
