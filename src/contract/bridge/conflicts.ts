import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { noteSchema, noteSectionSchema } from '../model/note.ts'
import { scheduleConflictSchema, scheduleProposalSchema } from '../model/schedule.ts'
import { sessionSchema } from '../model/session.ts'
import { ownTemplateSchema } from '../model/template.ts'
import { transcriptSchema } from '../model/transcript.ts'
import { method, nothing } from './method.ts'

/** What was changed here and elsewhere at once, and what the service refused: both sides are kept until somebody decides. */

export const conflictKindSchema = z.enum(['fields', 'document', 'erased', 'booking'])
export const conflictSideSchema = z.enum(['mine', 'theirs'])

const about = {
  id: idSchema,
  /** What is decided is what was seen: goes up whenever the other side changes. */
  version: z.int().min(1),
  found_at: timestampSchema,
  client_id: idSchema.nullable(),
  client_name: lineSchema.nullable(),
  session_id: idSchema.nullable(),
  session_starts_at: timestampSchema.nullable(),
  /** Null while it is to be decided. */
  decided_at: timestampSchema.nullable(),
  /** By field, or `whole`. */
  decided: z.record(z.string(), conflictSideSchema),
}

/** The record's own values, as JSON; worded in strings/. */
const valueSchema = z.json()

const fieldsConflictSchema = z.object({
  ...about,
  kind: z.literal('fields'),
  record: z.enum(['client', 'session']),
  fields: z.array(z.object({ name: z.string(), mine: valueSchema, theirs: valueSchema })),
  /** What both had changed and could be put together without a question. */
  combined: z.array(z.object({ name: z.string(), value: valueSchema, changed: z.enum(['here', 'there']).optional() })),
  mine_at: timestampSchema,
  theirs_at: timestampSchema,
})

const document = {
  ...about,
  kind: z.literal('document'),
  choices: z.array(conflictSideSchema).min(1),
  /** What was written from both, where that is how it was decided. */
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
  /** What would go with it that nobody else has. */
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
  /** Of every field that is asked about. */
  z.object({ kind: z.literal('fields'), sides: z.record(z.string(), conflictSideSchema) }),
  z.object({ kind: z.literal('document'), side: conflictSideSchema }),
  /**
   * A draft of a note, written from both; `from` is the one it began with. Each sentence stands in one of the two with all
   * that bears it out, or is the person's own.
   */
  z.object({ kind: z.literal('together'), from: conflictSideSchema, sections: z.array(noteSectionSchema).min(1).max(40) }),
  /** `keep`: on this laptop alone. */
  z.object({ kind: z.literal('erased'), do: z.enum(['keep', 'erase']) }),
  /** To another time; without one the booking is given up. */
  z.object({ kind: z.literal('booking'), starts_at: timestampSchema.nullable() }),
])

/** `you`: from another computer. Null: the service does not say, or cannot be asked now. */
export const whoChangedSchema = z.object({ who: z.enum(['you', 'colleague']).nullable(), name: lineSchema.nullable() })

export const conflictMethods = {
  /** Oldest first; or what was decided, both versions as they were then, newest first. */
  'conflicts.list': method(z.object({ decided: z.boolean().default(false) }), z.array(conflictSchema)),
  /** Who made the other version. */
  'conflicts.who': method(z.object({ id: idSchema }), whoChangedSchema),
  /** Said twice it stands as first said; where the other side changed since it was seen, nothing is done (`stale-version`). */
  'conflicts.resolve': method(z.object({ id: idSchema, version: z.int().min(1), choice: conflictChoiceSchema }), nothing),
} as const

export type ConflictKind = z.infer<typeof conflictKindSchema>
export type ConflictSide = z.infer<typeof conflictSideSchema>
export type Conflict = z.infer<typeof conflictSchema>
export type WhoChanged = z.infer<typeof whoChangedSchema>
export type ConflictChoice = z.infer<typeof conflictChoiceSchema>
