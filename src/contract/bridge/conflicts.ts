import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { noteSchema, noteSectionSchema } from '../model/note.ts'
import { scheduleConflictSchema, scheduleProposalSchema } from '../model/schedule.ts'
import { sessionSchema } from '../model/session.ts'
import { ownTemplateSchema } from '../model/template.ts'
import { transcriptSchema } from '../model/transcript.ts'
import { method, nothing } from './method.ts'

export const conflictKindSchema = z.enum(['fields', 'document', 'erased', 'booking'])
export const conflictSideSchema = z.enum(['mine', 'theirs'])

const about = {
  id: idSchema,
  /** A choice that names an older version of the conflict is rejected, because the user did not see the latest one. */
  version: z.int().min(1),
  found_at: timestampSchema,
  client_id: idSchema.nullable(),
  client_name: lineSchema.nullable(),
  session_id: idSchema.nullable(),
  session_starts_at: timestampSchema.nullable(),
  decided_at: timestampSchema.nullable(),
  decided: z.record(z.string(), conflictSideSchema),
}

const valueSchema = z.json()

const fieldsConflictSchema = z.object({
  ...about,
  kind: z.literal('fields'),
  record: z.enum(['client', 'session']),
  fields: z.array(z.object({ name: z.string(), mine: valueSchema, theirs: valueSchema })),
  combined: z.array(z.object({ name: z.string(), value: valueSchema, changed: z.enum(['here', 'there']).optional() })),
  mine_at: timestampSchema,
  theirs_at: timestampSchema,
})

const document = {
  ...about,
  kind: z.literal('document'),
  choices: z.array(conflictSideSchema).min(1),
  written: z.array(noteSectionSchema).optional(),
}
const documentConflictSchema = z.discriminatedUnion('record', [
  z.object({ ...document, record: z.literal('note'), mine: noteSchema, theirs: noteSchema }),
  z.object({ ...document, record: z.literal('transcript'), mine: transcriptSchema, theirs: transcriptSchema }),
  z.object({ ...document, record: z.literal('template'), mine: ownTemplateSchema, theirs: ownTemplateSchema }),
])

const erasedConflictSchema = z.object({
  ...about,
  kind: z.literal('erased'),
  record: z.enum(['client', 'session', 'consent', 'transcript', 'note', 'template']),
  erased_at: timestampSchema,
  unsent_changes: z.int().min(0),
  recordings: z.int().min(0),
})

const bookingConflictSchema = z.object({
  ...about,
  kind: z.literal('booking'),
  record: z.literal('session'),
  session: sessionSchema,
  reasons: z.array(scheduleConflictSchema),
  proposals: z.array(scheduleProposalSchema),
})

export const conflictSchema = z.union([fieldsConflictSchema, documentConflictSchema, erasedConflictSchema, bookingConflictSchema])

export const conflictChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fields'), sides: z.record(z.string(), conflictSideSchema) }),
  z.object({ kind: z.literal('document'), side: conflictSideSchema }),
  z.object({ kind: z.literal('together'), from: conflictSideSchema, sections: z.array(noteSectionSchema).min(1).max(40) }),
  z.object({ kind: z.literal('erased'), do: z.enum(['keep', 'erase']) }),
  z.object({ kind: z.literal('booking'), starts_at: timestampSchema.nullable() }),
])

/** `who`: `you` is the user, e.g. on another computer; null if the author is unknown, e.g. while the service is unreachable. */
export const whoChangedSchema = z.object({ who: z.enum(['you', 'colleague']).nullable(), name: lineSchema.nullable() })

export const conflictMethods = {
  'conflicts.list': method(z.object({ decided: z.boolean().default(false) }), z.array(conflictSchema)),
  'conflicts.who': method(z.object({ id: idSchema }), whoChangedSchema),
  'conflicts.resolve': method(z.object({ id: idSchema, version: z.int().min(1), choice: conflictChoiceSchema }), nothing),
} as const

export type ConflictKind = z.infer<typeof conflictKindSchema>
export type ConflictSide = z.infer<typeof conflictSideSchema>
export type Conflict = z.infer<typeof conflictSchema>
export type WhoChanged = z.infer<typeof whoChangedSchema>
export type ConflictChoice = z.infer<typeof conflictChoiceSchema>
