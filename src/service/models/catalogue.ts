import { z } from 'zod'
import type { Catalogue, WrittenEntry } from './catalogue-entry.ts'
import { catalogueEntrySchema } from './catalogue-entry.ts'
import { recognitionModels, helperModels, embeddingModels } from './known-models.ts'

export function readCatalogue(written: readonly WrittenEntry[]): Catalogue {
  return z.array(catalogueEntrySchema).parse(written)
}

export const catalogue: Catalogue = readCatalogue([...recognitionModels, ...helperModels, ...embeddingModels])
