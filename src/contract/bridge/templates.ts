import { z } from 'zod'
import { idSchema, lineSchema } from '../model/common.ts'
import { ownTemplateDraftSchema, ownTemplateSchema, templateSectionSchema } from '../model/template.ts'
import { method, nothing } from './method.ts'

export const templateMethods = {
  /** The therapist's own forms, by name; those that were removed are not among them. */
  'templates.list': method(nothing, z.array(ownTemplateSchema)),
  /** `version` null: it is new. */
  'templates.save': method(
    ownTemplateDraftSchema.omit({ id: true }).extend({ id: idSchema.nullable(), version: z.int().nullable() }),
    ownTemplateSchema,
  ),
  /** Notes written in it keep their form and its name. */
  'templates.remove': method(z.object({ id: idSchema }), nothing),
  /** Sections from the headings of a note as the therapist writes them. The text itself is not kept. */
  'templates.fromExample': method(
    z.object({ text: z.string().min(1).max(40_000) }),
    z.object({ name: lineSchema, sections: z.array(templateSectionSchema) }),
  ),
} as const
