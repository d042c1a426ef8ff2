import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** A page ends before its bodies come to more, in bytes; one that is larger is a page of its own. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** Bytes a column takes up, found out without reading or opening what is in it. */
export const bytesOf = (column: string): RawBuilder<number> => sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`

/** How many rows make one page, by the bytes of each in order: at least one, at most `limit`. */
export function rowsOnPage(rows: readonly { readonly bytes: number }[], limit: number): number {
  let total = 0
  const over = rows.findIndex(({ bytes }, index) => (total += Number(bytes)) > MAX_PAGE_BYTES && index > 0)
  return Math.min(limit, over === -1 ? rows.length : over)
}
