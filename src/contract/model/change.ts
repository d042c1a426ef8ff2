import { z } from 'zod'
import { idSchema, named, timestampSchema } from './common.ts'
import { operationSchema } from './operation.ts'

export const changeKindSchema = z
  .enum([
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
  .meta({ id: 'ChangeKind', description: 'Kind of record that changed.' })
export type ChangeKind = z.infer<typeof changeKindSchema>

export const changeCursorSchema = z.string().regex(/^\d{1,15}$/, 'not a cursor of this feed')

export const changeSchema = named('Change', 'One change: that a record has a new version or was erased, never what it holds.', {
  cursor: changeCursorSchema.describe('Position of this change. Pass it as `since` to continue after it.'),
  kind: changeKindSchema.describe('Kind of the record.'),
  id: idSchema.describe('Id of the record.'),
  version: z.int().min(1).describe('Version the record has now.'),
  deleted: z.boolean().describe('True if the record was erased.'),
  at: timestampSchema.describe('When it changed.'),
})
export type Change = z.infer<typeof changeSchema>

export const changesSchema = named('ChangePage', 'A page of the change feed.', {
  data: z.array(changeSchema).describe('Changes in order.'),
  next_cursor: changeCursorSchema.describe('Pass it as `since` to continue, even if nothing changed.'),
  more: z.boolean().describe('True if more changes are already there.'),
})

export const operationStateSchema = operationSchema
  .omit({ result: true, problem: true })
  .meta({ id: 'OperationState', description: 'Progress of long work without its result.' })
export type OperationState = z.infer<typeof operationStateSchema>
