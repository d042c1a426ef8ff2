import { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import { sentTimestampSchema } from '#contract/model/common.ts'

const orders = ['created_at', 'updated_at'] as const
const idText = z.string().regex(/^[0-9A-Za-z-]{1,64}$/)
const cursorSchema = z.tuple([z.enum(orders), sentTimestampSchema, idText])

export function cursorFor(by: (typeof orders)[number], at: string, id: string): string {
  return Buffer.from(JSON.stringify([by, at, id])).toString('base64url')
}

/** @throws AppError `validation-failed` for a cursor that a list in this order did not issue */
export function readCursor(cursor: string, by: (typeof orders)[number]): { at: string; id: string } {
  const read = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (read.success && read.data[0] === by) return { at: read.data[1], id: read.data[2] }
  throw new AppError('validation-failed', undefined, [
    { pointer: '/cursor', code: 'invalid_cursor', message: 'not a cursor of this list; start again without it' },
  ])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
