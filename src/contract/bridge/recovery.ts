import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** What was damaged, missing or behind: `vault.db`, `service.db`, the wrapped keys, or the files in `recordings`. */
const recoveredFileSchema = z.enum(['vault', 'service', 'keys', 'recordings'])

export const recoveryKindSchema = z.enum([
  'client',
  'consent',
  'session',
  'recording',
  'transcript',
  'note',
  'insight',
  'template',
  'bookmark',
  'settings',
  /** The address of the practice's service. */
  'connection',
  /** Some of them, of whom and of when is not known. */
  'clients',
  'consents',
  'sessions',
  'transcripts',
  'notes',
  /** The inventory: more may be missing than is named. */
  'list',
  'other',
])

/** One record that a damaged, missing or older file held. */
const recoveryItemSchema = z.object({
  kind: recoveryKindSchema,
  is_recovered: z.boolean(),
  /** The record is here, without some of its content or its latest changes. */
  is_partial: z.boolean(),
  /** As the records name the client now, otherwise as they did before; null where neither is known, or it is of no client. */
  client_name: lineSchema.nullable(),
  session_id: idSchema.nullable(),
  /** The start of its session; otherwise the day the record was made, where known. */
  date: timestampSchema.nullable(),
})

const recoveryReportSchema = z.object({
  id: idSchema,
  at: timestampSchema,
  file: recoveredFileSchema,
  cause: z.enum(['damaged', 'missing', 'behind']),
  /** Names in the data folder that the damaged files are kept under. */
  set_aside: z.array(z.string()),
  /** Parts of 4 KB. Zero where the file could not be counted. */
  pages: z.int().min(0),
  unreadable_pages: z.int().min(0),
  items: z.array(recoveryItemSchema),
})

export const recoveryMethods = {
  /** Announced like a change of the reports. */
  'recovery.state': method(
    nothing,
    z.object({
      /** Damage was found while the records are open; the next opening repairs it. */
      needs_repair: z.boolean(),
      /** The two databases could not be compared, twice in a row; it is tried again every minute. */
      is_not_compared: z.boolean(),
    }),
  ),
  /** What is not read yet, oldest first. */
  'recovery.reports': method(nothing, z.array(recoveryReportSchema)),
  'recovery.markRead': method(z.object({ id: idSchema }), nothing),
  /** What was read before, newest first. */
  'recovery.readReports': method(nothing, z.array(recoveryReportSchema)),
  /** Of a report that was read: what it lists is deleted, names of clients with it. */
  'recovery.removeRead': method(z.object({ id: idSchema }), nothing),
} as const

export type RecoveryReport = z.infer<typeof recoveryReportSchema>
export type RecoveryKind = z.infer<typeof recoveryKindSchema>
