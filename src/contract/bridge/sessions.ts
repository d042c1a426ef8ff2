import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, timestampSchema } from '../model/common.ts'
import { consentGateSchema } from '../model/consent.ts'
import { noteStatusSchema } from '../model/note.ts'
import { templateSchema } from '../model/template.ts'
import { recordingStateSchema } from '../model/recording.ts'
import { sessionDraftSchema, sessionPatchSchema, sessionSchema } from '../model/session.ts'
import { method } from './method.ts'

/** Long work on a session. */
export const workSchema = z.object({
  state: z.enum(['idle', 'waiting', 'running', 'failed']),
  /** 0 to 1. */
  progress: z.number().min(0).max(1),
  /** An error code, when failed or waiting for something to be set up. */
  error: z.string().nullable(),
})

export const sessionRowSchema = z.object({
  session: sessionSchema,
  client_name: lineSchema,
  /** The how-manieth session with this client, by time. */
  number: z.int().min(1),
  consent: consentGateSchema,
  recording: z
    .object({
      id: idSchema,
      state: recordingStateSchema,
      saved_ms: millisecondsSchema,
      /** How much of it is damaged, as far as is known. */
      unreadable_ms: millisecondsSchema,
    })
    .nullable(),
  transcript: z.object({ present: z.boolean(), work: workSchema }),
  note: z
    .object({
      id: idSchema,
      status: noteStatusSchema,
      template: templateSchema,
      /** Safety statements to confirm, statements without a source, omissions to decide. */
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
  /** Completed sessions without a signed note, oldest first. */
  'sessions.unfinished': method(z.object({}), z.array(sessionRowSchema)),
  'sessions.get': method(z.object({ id: idSchema }), sessionRowSchema),
  'sessions.create': method(sessionDraftSchema.omit({ id: true, clinician_id: true }), sessionSchema),
  'sessions.update': method(z.object({ id: idSchema, version: z.int(), patch: sessionPatchSchema }), sessionSchema),
} as const

export type SessionRow = z.infer<typeof sessionRowSchema>
export type Work = z.infer<typeof workSchema>
