import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** Bytes of bodies on one page. A larger record gets its own page. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** Stored size of a column in bytes, without reading or decrypting it. */
export const bytesOf = (column: string): RawBuilder<number> => sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`

export function rowsOnPage(rows: readonly { readonly bytes: number }[], limit: number): number {
  let total = 0
  const over = rows.findIndex(({ bytes }, index) => (total += Number(bytes)) > MAX_PAGE_BYTES && index > 0)
  return Math.min(limit, over === -1 ? rows.length : over)
}
