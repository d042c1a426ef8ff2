import { z } from 'zod'
import { type Catalogue, catalogueEntrySchema } from './catalogue.ts'
import known from './known-models.json' with { type: 'json' }

export function readCatalogue(written: readonly unknown[]): Catalogue {
  return z.array(catalogueEntrySchema).parse(written)
}

const languages: Readonly<Record<string, string>> = known.languages

export const catalogue: Catalogue = readCatalogue(
  known.models.map((model) => ({ ...model, languages: languages[model.languages]?.split(' ').filter(Boolean) })),
)
