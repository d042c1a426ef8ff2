import { z } from 'zod'
import { idSchema, lineSchema, named, recordFields } from './common.ts'

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

export const templateSchema = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  z.union([z.enum(builtInTemplates), ownName]),
)

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

export const templateSectionSchema = named('TemplateSection', 'A section of a custom template.', {
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/)
    .describe('Key of the section, unique within the template.'),
  title: lineSchema.min(1).describe('Heading of the section.'),
  holds: z
    .array(contentKindSchema)
    .max(contentKinds.length)
    .describe('Content the section takes; empty: a heading the clinician fills in.'),
  when_empty: z
    .enum(['not_stated', 'not_assessed', 'left_to_clinician'])
    .default('not_stated')
    .describe('What the draft says if nothing was said about it. Nothing is assumed normal.'),
})

export const noteStyleSchema = named('NoteStyle', 'Style of notes written with a template.', {
  length: z.enum(['short', 'usual', 'full']).default('usual').describe('Length of the note compared with the usual.'),
  client_as: z.enum(['name', 'initials', 'client']).default('name').describe('How the note refers to the client.'),
})

const ownTemplateBody = {
  name: lineSchema.min(1).describe('Name of the template.'),
  sections: z
    .array(templateSectionSchema)
    .min(1)
    .max(20)
    .refine((sections) => new Set(sections.map(({ key }) => key)).size === sections.length, 'two sections have the same key')
    .describe('Sections in order; keys are unique.'),
  style: noteStyleSchema.default({ length: 'usual', client_as: 'name' }).describe('Style of the notes.'),
}

export const ownTemplateDraftSchema = named('CustomTemplateDraft', 'A custom template as stored by the caller.', {
  id: idSchema.optional().describe('Id of the template; if given, it must be the one in the path.'),
  ...ownTemplateBody,
})
export const ownTemplateSchema = z
  .object({ ...ownTemplateBody, ...recordFields })
  .meta({ id: 'CustomTemplate', description: 'A custom template. Use it in drafts as `own:` followed by its id.' })

export type BuiltInTemplate = (typeof builtInTemplates)[number]
export type Template = z.infer<typeof templateSchema>
export type ContentKind = z.infer<typeof contentKindSchema>
export type TemplateSection = z.infer<typeof templateSectionSchema>
export type NoteStyle = z.infer<typeof noteStyleSchema>
export type OwnTemplateDraft = z.infer<typeof ownTemplateDraftSchema>
export type OwnTemplate = z.infer<typeof ownTemplateSchema>

export function ownTemplateId(template: Template): string | null {
  return template.startsWith('own:') ? template.slice('own:'.length) : null
}

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
