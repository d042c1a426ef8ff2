import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

const recoveredFileSchema = z.enum(['vault', 'service', 'keys', 'recordings'])

export const recoveryKindSchema = z.enum([
  'client',
  'consent',
  'session',
  'recording',
  'transcript',
  'note',
  'addendum',
  'insight',
  'template',
  'bookmark',
  'settings',
  'connection',
  'clients',
  'consents',
  'sessions',
  'transcripts',
  'notes',
  'list',
  'other',
])

const recoveryItemSchema = z.object({
  kind: recoveryKindSchema,
  is_recovered: z.boolean(),
  is_partial: z.boolean(),
  is_signed: z.boolean(),
  client_name: lineSchema.nullable(),
  session_id: idSchema.nullable(),
  date: timestampSchema.nullable(),
})

const lostPartSchema = z.object({
  session_id: idSchema,
  kind: z.enum(['recording', 'transcript', 'note', 'addendum']),
  count: z.int().min(1),
  is_partial: z.boolean(),
  is_signed: z.boolean(),
  at: timestampSchema,
})

const recoveryReportSchema = z.object({
  id: idSchema,
  at: timestampSchema,
  file: recoveredFileSchema,
  cause: z.enum(['damaged', 'missing', 'behind']),
  set_aside: z.array(z.string()),
  copies: z.array(z.string()),
  /** Number of database pages; 0 if none were counted, e.g. because the file was missing or is no database. */
  pages: z.int().min(0),
  unreadable_pages: z.int().min(0),
  items: z.array(recoveryItemSchema),
  solved_at: timestampSchema.nullable(),
})

export const recoveryMethods = {
  'recovery.state': method(
    nothing,
    z.object({
      needs_repair: z.boolean(),
      is_not_compared: z.boolean(),
    }),
  ),
  'recovery.reports': method(nothing, z.array(recoveryReportSchema)),
  'recovery.markRead': method(z.object({ id: idSchema }), nothing),
  'recovery.readReports': method(nothing, z.array(recoveryReportSchema)),
  'recovery.removeRead': method(z.object({ id: idSchema }), nothing),
  'recovery.lostParts': method(nothing, z.array(lostPartSchema)),
} as const

export type RecoveryReport = z.infer<typeof recoveryReportSchema>
export type LostPart = z.infer<typeof lostPartSchema>
export type RecoveryKind = z.infer<typeof recoveryKindSchema>
