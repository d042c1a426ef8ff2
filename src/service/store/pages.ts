import { z } from 'zod'
import type { AppError } from '#contract/errors.ts'
import { invalid } from '#service/kernel/problem.ts'
import { sentTimestampSchema } from '#contract/model/common.ts'
import { attempt } from '#base/control.ts'
import { type RawBuilder, sql, type SqlBool } from 'kysely'

const orders = ['created_at', 'updated_at'] as const
const idText = z.string().regex(/^[0-9A-Za-z-]{1,64}$/)
const cursorSchema = z.tuple([z.enum(orders), sentTimestampSchema, idText])

export function cursorFor(by: (typeof orders)[number], at: string, id: string): string {
  return Buffer.from(JSON.stringify([by, at, id])).toString('base64url')
}

function readCursor(cursor: string, by: (typeof orders)[number]): { at: string; id: string } {
  const read = cursorSchema.safeParse(attempt(() => JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))))
  if (read.success && read.data[0] === by) return { at: read.data[1], id: read.data[2] }
  throw invalidCursor()
}

export const invalidCursor = (): AppError =>
  invalid('/cursor', 'invalid_cursor', 'not a cursor of this list; start again without it')

export function afterCursor(cursor: string | undefined, by: (typeof orders)[number]): RawBuilder<SqlBool>[] {
  if (cursor === undefined) return []
  const { at, id } = readCursor(cursor, by)
  return [sql<SqlBool>`(${sql.ref(by)}, id) > (${at}, ${id})`]
}

const MAX_PAGE_BYTES = 4 * 1024 * 1024

export const bytesOf = (column: string): RawBuilder<number> => sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`

export function rowsOnPage(rows: readonly { readonly bytes: number }[], limit: number): number {
  let total = 0
  const over = rows.findIndex(({ bytes }, index) => (total += Number(bytes)) > MAX_PAGE_BYTES && index > 0)
  return Math.min(limit, over === -1 ? rows.length : over)
}
