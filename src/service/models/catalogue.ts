import { z } from 'zod'
import { modelIdSchema, modelTaskSchema, recognizerKindSchema } from '#contract/model/speech-model.ts'

const catalogueFileSchema = z.object({
  role: z.string().regex(/^[a-z_]+$/),
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/),
  address: z.url({ protocol: /^https$/ }),
  bytes: z.int().positive().nullable(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
})

export const catalogueEntrySchema = z.object({
  id: modelIdSchema,
  name: z.string().max(80),
  task: modelTaskSchema,
  kind: recognizerKindSchema.nullable(),
  languages: z.array(z.string()),
  licence: z.string(),
  page: z.url({ protocol: /^https$/ }),
  listed_megabytes: z.number().positive(),
  memory_mb: z.int().positive().nullable(),
  speed_factor: z.number().positive().nullable(),
  rank: z.int(),
  notes: z.string().nullable(),
  files: z.array(catalogueFileSchema).min(1),
})

export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>
export type CatalogueFile = z.infer<typeof catalogueFileSchema>
export type Catalogue = readonly CatalogueEntry[]
export type WrittenEntry = z.input<typeof catalogueEntrySchema>
