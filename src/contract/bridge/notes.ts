import { z } from 'zod'
import { idSchema, lineSchema, paragraphSchema, timestampSchema } from '../model/common.ts'
import { noteCheckSchema, noteSchema, noteSectionSchema, omissionSchema } from '../model/note.ts'
import { ownTemplateDraftSchema, ownTemplateSchema, templateSchema, templateSectionSchema } from '../model/template.ts'
import { segmentSchema, speakerSchema, transcriptSchema } from '../model/transcript.ts'
import { bytesSchema, method, nothing } from './method.ts'
import { workSchema } from './sessions.ts'

const bySession = z.object({ session_id: idSchema })

/** `received`: written on another computer, or by a choice between two versions. */
const noteStepSchema = z.enum(['started', 'drafted', 'edited', 'restored', 'received', 'signed', 'addendum'])

/** `by`: who signed or wrote the addendum. */
const noteVersionSchema = z.object({
  number: z.int(),
  step: noteStepSchema,
  by: lineSchema.nullable(),
  begun_at: timestampSchema,
  at: timestampSchema,
  template: templateSchema,
  sections: z.array(noteSectionSchema),
})
export type NoteStep = z.infer<typeof noteStepSchema>
export type NoteVersion = z.infer<typeof noteVersionSchema>

export const noteMethods = {
  'transcripts.get': method(
    bySession,
    z.object({
      transcript: transcriptSchema.nullable(),
      work: workSchema,
      speech_ready: z.boolean(),
    }),
  ),
  'transcripts.request': method(bySession, workSchema),
  'transcripts.cancel': method(bySession, workSchema),
  'transcripts.import': method(
    z.object({ session_id: idSchema, file_name: z.string().max(300), content: bytesSchema }),
    transcriptSchema,
  ),
  'transcripts.save': method(
    z.object({
      session_id: idSchema,
      version: z.int().nullable(),
      speakers: z.array(speakerSchema),
      segments: z.array(segmentSchema),
    }),
    transcriptSchema,
  ),

  'notes.get': method(bySession, z.object({ note: noteSchema.nullable(), work: workSchema, is_outdated: z.boolean() })),
  'notes.keepDraft': method(bySession, nothing),
  'notes.draft': method(
    bySession.extend({
      template: templateSchema,
      without_ai: z.boolean().default(false),
    }),
    workSchema,
  ),
  'notes.cancelDraft': method(bySession, workSchema),
  'notes.start': method(bySession.extend({ template: templateSchema }), noteSchema),
  'notes.previous': method(bySession, z.object({ note: noteSchema, starts_at: timestampSchema }).nullable()),
  'notes.save': method(
    z.object({
      id: idSchema,
      version: z.int(),
      template: templateSchema.optional(),
      sections: z.array(noteSectionSchema),
      omissions: z.array(omissionSchema),
    }),
    noteSchema,
  ),
  /** Newest first. They are kept on this computer only. */
  'notes.versions': method(bySession, z.array(noteVersionSchema)),
  'notes.restore': method(z.object({ id: idSchema, version: z.int(), number: z.int() }), noteSchema),
  'notes.payerChecks': method(bySession, z.object({ minutes: z.int().min(0).nullable(), checks: z.array(noteCheckSchema) })),
  /** `deletes_audio`: the signer was told that the audio will be deleted. Without it no audio is. */
  'notes.sign': method(z.object({ id: idSchema, version: z.int(), deletes_audio: z.boolean().default(false) }), noteSchema),
  'notes.addAddendum': method(
    z.object({ id: idSchema, text: paragraphSchema.min(1), reason: paragraphSchema.min(1) }),
    noteSchema,
  ),
  'notes.verify': method(z.object({ id: idSchema }), z.object({ intact: z.boolean() })),
} as const

export const templateMethods = {
  'templates.list': method(nothing, z.array(ownTemplateSchema)),
  'templates.save': method(
    ownTemplateDraftSchema.omit({ id: true }).extend({ id: idSchema.nullable(), version: z.int().nullable() }),
    ownTemplateSchema,
  ),
  'templates.remove': method(z.object({ id: idSchema }), nothing),
  'templates.fromExample': method(
    z.object({ text: z.string().min(1).max(40_000) }),
    z.object({ name: lineSchema, sections: z.array(templateSectionSchema) }),
  ),
} as const
