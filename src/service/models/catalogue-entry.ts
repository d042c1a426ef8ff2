import { z } from 'zod'
import { modelIdSchema, modelTaskSchema, recognizerKindSchema } from '#contract/model/speech-model.ts'

const catalogueFileSchema = z.object({
  /** What it is to the engine: `encoder`, `tokens`, `model`, ... */
  role: z.string().regex(/^[a-z_]+$/),
  /** As it is called here; never a path. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/),
  address: z.url({ protocol: /^https$/ }),
  /** Null: not known here; taken from the source's own list at install, and said so. */
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
  /** Of all files, rounded as the source's own page lists them. */
  listed_megabytes: z.number().positive(),
  memory_mb: z.int().positive().nullable(),
  speed_factor: z.number().positive().nullable(),
  /** Among models of one task the better one stands higher. */
  rank: z.int(),
  notes: z.string().nullable(),
  files: z.array(catalogueFileSchema).min(1),
})

export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>
export type CatalogueFile = z.infer<typeof catalogueFileSchema>
export type Catalogue = readonly CatalogueEntry[]
/** As it is written down; parsed where the catalogue is put together. */
export type WrittenEntry = z.input<typeof catalogueEntrySchema>
