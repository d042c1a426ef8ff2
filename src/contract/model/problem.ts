import { z } from 'zod'
import { listOf, named } from './common.ts'
import { scheduleConflictSchema, scheduleProposalSchema } from './schedule.ts'

export const problemSchema = named('Problem', 'What went wrong (RFC 9457). It never repeats a value of the request.', {
  type: z.string().describe('Identifies the kind of problem. Compare it as text; nothing is served at this address.'),
  title: z.string().describe('Short title of the kind of problem.'),
  status: z.int().describe("HTTP status, the same as the answer's."),
  detail: z.string().describe('What happened and what to do.'),
  code: z.string().describe('Stable code for programs, for example `validation-failed`.'),
  retryable: z.boolean().describe('True if the same call may succeed later without changes.'),
  request_id: z.string().describe("The answer's `X-Request-Id`; quote it when you report a problem."),
  errors: listOf({
    pointer: z
      .string()
      .describe('JSON Pointer (RFC 6901) into the body, or `/name` of a parameter; with `not-ready-to-sign`, into the note.'),
    code: z
      .string()
      .describe(
        'Stable code of the mistake. A field of the wrong kind or out of range: `invalid_type` (missing fields too), `invalid_value`, `invalid_format`, `invalid_union`, `invalid_key`, `invalid_element`, `too_small`, `too_big`, `invalid_character`, `in_the_past`. A reference: `not_found`, `unknown_person`, `no_supervisor`, `mismatch`. Lists: `invalid_cursor`, `repeated`. Signing: `not_confirmed`. More may be added.',
      ),
    message: z.string().describe('What the field must be, in plain words. For people; it may change.'),
  })
    .optional()
    .describe('The fields or parameters that are wrong.'),
  current: z.unknown().optional().describe('With 412: the record as it is now.'),
  conflicts: z.array(scheduleConflictSchema).optional().describe('With 409 of `POST /ai/schedule`: what is in the way.'),
  proposals: z.array(scheduleProposalSchema).optional().describe('With 409 of `POST /ai/schedule`: free times instead.'),
})

export type Problem = z.infer<typeof problemSchema>
