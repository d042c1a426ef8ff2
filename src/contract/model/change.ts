import { z } from 'zod'
import { idSchema, timestampSchema } from './common.ts'
import { operationSchema } from './operation.ts'

export const changeKindSchema = z.enum([
  'client',
  'session',
  'consent',
  'transcript',
  'note',
  'analysis',
  'template',
  'staff',
  'room',
  'availability',
  'coverage',
  'authorisation',
  'payer',
])
export type ChangeKind = z.infer<typeof changeKindSchema>

/** Digits; only ever handed back as it was given. */
export const changeCursorSchema = z.string().regex(/^\d{1,15}$/, 'not a cursor of this feed')

/** That a record is there in another version, or was erased; never what is in it. */
export const changeSchema = z.object({
  /** The feed goes on behind it. */
  cursor: changeCursorSchema,
  kind: changeKindSchema,
  id: idSchema,
  version: z.int().min(1),
  deleted: z.boolean(),
  at: timestampSchema,
})
export type Change = z.infer<typeof changeSchema>

export const changesSchema = z.object({
  data: z.array(changeSchema),
  /** Where to go on; also where nothing changed. */
  next_cursor: changeCursorSchema,
  /** More stands behind these already. */
  more: z.boolean(),
})

/** How far work has come, without what came of it. */
export const operationStateSchema = operationSchema.omit({ result: true, problem: true })
export type OperationState = z.infer<typeof operationStateSchema>
