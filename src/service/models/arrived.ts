import type { ModelRecord, StoredFile } from '../store/models.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** A model whose files are in place; not chosen and not tested yet. */
export type Arrived = Omit<ModelRecord, 'chosen' | 'self_test' | 'self_test_problem'>

export function arrivedAs(
  { id, name, task, kind, languages, rank }: CatalogueEntry,
  files: readonly StoredFile[],
  origin: 'source' | 'import',
  installed_at: string,
): Arrived {
  return { id, name, task, kind, languages, rank, files, origin, installed_at }
}
