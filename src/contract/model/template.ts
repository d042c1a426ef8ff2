import { z } from 'zod'
import { idSchema, lineSchema, recordFields } from './common.ts'

/** The field's standard forms of a note (DOMAIN.md section 3). */
export const builtInTemplates = [
  'soap',
  'dap',
  'birp',
  'girp',
  'pirp',
  'pie',
  'intake',
  'treatment_plan',
  'discharge',
  'group',
  'couples',
] as const

const ownName = z.templateLiteral(['own:', z.uuid()])

/** Matched without regard to case (API.md section 2). `own:` and an id names a form that a person made. */
export const templateSchema = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  z.union([z.enum(builtInTemplates), ownName]),
)

/** What a section of a person's own form can hold. What no section asks for is left out of the draft, and said so. */
export const contentKinds = [
  'said',
  'risk',
  'medication',
  'substances',
  'history',
  'social',
  'strengths',
  'goals',
  'scores',
  'interventions',
  'reflections',
  'response',
  'plan',
] as const
export const contentKindSchema = z.enum(contentKinds)

export const templateSectionSchema = z.object({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  title: lineSchema.min(1),
  /** Empty: a heading that the therapist fills in. */
  holds: z.array(contentKindSchema).max(contentKinds.length),
  /** What stands there when nothing was said about it; nothing is assumed normal. */
  when_empty: z.enum(['not_stated', 'not_assessed', 'left_to_clinician']).default('not_stated'),
})

export const noteStyleSchema = z.object({
  /** Of the usual length: half of it, all of it, half as much again. */
  length: z.enum(['short', 'usual', 'full']).default('usual'),
  /** How the note calls a client: by name, by initials, or "the client". */
  client_as: z.enum(['name', 'initials', 'client']).default('name'),
})

const ownTemplateBody = {
  name: lineSchema.min(1),
  sections: z
    .array(templateSectionSchema)
    .min(1)
    .max(20)
    .refine((sections) => new Set(sections.map(({ key }) => key)).size === sections.length, 'two sections have the same key'),
  style: noteStyleSchema.default({ length: 'usual', client_as: 'name' }),
}

export const ownTemplateDraftSchema = z.object({ id: idSchema.optional(), ...ownTemplateBody })
export const ownTemplateSchema = z.object({ ...ownTemplateBody, ...recordFields })

export type BuiltInTemplate = (typeof builtInTemplates)[number]
export type Template = z.infer<typeof templateSchema>
export type ContentKind = z.infer<typeof contentKindSchema>
export type TemplateSection = z.infer<typeof templateSectionSchema>
export type NoteStyle = z.infer<typeof noteStyleSchema>
export type OwnTemplateDraft = z.infer<typeof ownTemplateDraftSchema>
export type OwnTemplate = z.infer<typeof ownTemplateSchema>

/** The id of a person's own form, or null for one of the field's. */
export function ownTemplateId(template: Template): string | null {
  return template.startsWith('own:') ? template.slice('own:'.length) : null
}

/** A key made from a section's heading, taken up among those that are taken. */
export function freeSectionKey(title: string, taken: Set<string>): string {
  const plain = title
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 40)
  const base = plain === '' ? 'section' : plain
  let key = base
  for (let count = 2; taken.has(key); count += 1) key = `${base}_${count}`
  taken.add(key)
  return key
}
