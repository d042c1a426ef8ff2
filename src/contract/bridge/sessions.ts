import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, paragraphSchema, timestampSchema } from '../model/common.ts'
import { consentGateSchema } from '../model/consent.ts'
import { noteStatusSchema } from '../model/note.ts'
import { templateSchema } from '../model/template.ts'
import { recordingStateSchema } from '../model/recording.ts'
import { sessionDraftSchema, sessionPatchSchema, sessionSchema } from '../model/session.ts'
import { method } from './method.ts'

export const workSchema = z.object({
  state: z.enum(['idle', 'waiting', 'running', 'failed']),
  progress: z.number().min(0).max(1),
  error: z.string().nullable(),
})

/** Known only on this computer, because the service's sessions have no fields for it. */
const cancellationSchema = z.object({ is_late: z.boolean(), reason: paragraphSchema.nullable(), is_deleted: z.boolean() })

const codeSchema = lineSchema.max(5).nullable()

/** Chosen by the therapist. Known only on this computer, because the service's sessions have no fields for it. */
export const sessionBillingSchema = z.object({ place_of_service: codeSchema, modifier: codeSchema, add_on_code: codeSchema })
const versionedSchema = z.object({ id: idSchema, version: z.int() })

export const sessionRowSchema = z.object({
  session: sessionSchema,
  /** Null unless the session is canceled. */
  cancellation: cancellationSchema.nullable(),
  billing: sessionBillingSchema,
  /** The session is over, and its note is not written or not signed. */
  owes_note: z.boolean(),
  client_name: lineSchema,
  number: z.int().min(1),
  consent: consentGateSchema,
  recording: z
    .object({
      id: idSchema,
      state: recordingStateSchema,
      saved_ms: millisecondsSchema,
      unreadable_ms: millisecondsSchema,
    })
    .nullable(),
  transcript: z.object({ present: z.boolean(), work: workSchema }),
  note: z
    .object({
      id: idSchema,
      status: noteStatusSchema,
      template: templateSchema,
      to_check: z.int().min(0),
    })
    .nullable(),
  note_work: workSchema,
})

export const sessionMethods = {
  'sessions.list': method(
    z.object({ client_id: idSchema.optional(), from: timestampSchema.optional(), to: timestampSchema.optional() }),
    z.array(sessionRowSchema),
  ),
  'sessions.unfinished': method(
    z.object({ limit: z.int().min(1).max(100).describe('Rows at most, the latest first; `count` counts all.') }),
    z.object({ count: z.int(), rows: z.array(sessionRowSchema) }),
  ),
  'sessions.get': method(z.object({ id: idSchema }), sessionRowSchema),
  'sessions.create': method(sessionDraftSchema.omit({ id: true, clinician_id: true }), sessionSchema),
  'sessions.update': method(
    versionedSchema.extend({ patch: sessionPatchSchema, billing: sessionBillingSchema.optional() }),
    sessionSchema,
  ),
  /** A deleted session is canceled and in no list, until its status changes. */
  'sessions.cancel': method(versionedSchema.extend(cancellationSchema.shape), sessionSchema),
  /** All changes are saved, or none. `cancellation`: null unless the appointment is canceled. */
  'sessions.changeAll': method(
    z.object({
      changes: z
        .array(
          versionedSchema.extend({
            patch: sessionPatchSchema.pick({ status: true, starts_at: true, duration_minutes: true }),
            cancellation: cancellationSchema.nullable(),
          }),
        )
        .min(1)
        .max(1000),
    }),
    z.array(sessionSchema),
  ),
} as const

export type SessionBilling = z.infer<typeof sessionBillingSchema>
export type Cancellation = z.infer<typeof cancellationSchema>
export type SessionRow = z.infer<typeof sessionRowSchema>
export type Work = z.infer<typeof workSchema>
