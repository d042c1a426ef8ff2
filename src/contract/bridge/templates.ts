import { z } from 'zod'
import { idSchema, lineSchema } from '../model/common.ts'
import { ownTemplateDraftSchema, ownTemplateSchema, templateSectionSchema } from '../model/template.ts'
import { method, nothing } from './method.ts'

export const templateMethods = {
  /** The therapist's own templates in order of name, without removed ones. */
  'templates.list': method(nothing, z.array(ownTemplateSchema)),
  'templates.save': method(
    ownTemplateDraftSchema.omit({ id: true }).extend({ id: idSchema.nullable(), version: z.int().nullable() }),
    ownTemplateSchema,
  ),
  /** Existing notes keep this template and its name. */
  'templates.remove': method(z.object({ id: idSchema }), nothing),
  /** Makes sections from the headings of an example note. The text is not stored. */
  'templates.fromExample': method(
    z.object({ text: z.string().min(1).max(40_000) }),
    z.object({ name: lineSchema, sections: z.array(templateSectionSchema) }),
  ),
} as const
