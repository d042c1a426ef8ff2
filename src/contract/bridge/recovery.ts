import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** The affected file: `vault.db`, `service.db`, the wrapped keys, or the files in `recordings`. */
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
  /** Plurals: an unknown number of records with unknown client and date. */
  'clients',
  'consents',
  'sessions',
  'transcripts',
  'notes',
  /** The inventory: more records may be missing than are named. */
  'list',
  'other',
])

const recoveryItemSchema = z.object({
  kind: recoveryKindSchema,
  is_recovered: z.boolean(),
  is_partial: z.boolean(),
  /** A note that was signed. */
  is_signed: z.boolean(),
  /** The client's current name, otherwise the last known one; null if unknown or not about a client. */
  client_name: lineSchema.nullable(),
  session_id: idSchema.nullable(),
  /** The session's start; otherwise the record's creation day, if known. */
  date: timestampSchema.nullable(),
})

const lostPartSchema = z.object({
  kind: z.enum(['recording', 'transcript', 'note', 'addendum']),
  count: z.int().min(1),
  is_partial: z.boolean(),
  is_signed: z.boolean(),
  /** When the loss was found. */
  at: timestampSchema,
})

const recoveryReportSchema = z.object({
  id: idSchema,
  at: timestampSchema,
  file: recoveredFileSchema,
  cause: z.enum(['damaged', 'missing', 'behind']),
  /** File names of the damaged originals in the data folder. */
  set_aside: z.array(z.string()),
  /** Other files in the data folder that hold such records, if some are missing. */
  copies: z.array(z.string()),
  /** Pages of 4 KB; zero if the file could not be counted. */
  pages: z.int().min(0),
  unreadable_pages: z.int().min(0),
  items: z.array(recoveryItemSchema),
  /** A later opening compared both databases, and nothing was missing. */
  solved_at: timestampSchema.nullable(),
})

export const recoveryMethods = {
  /** Changes are announced as `records.changed` of kind `recovery`. */
  'recovery.state': method(
    nothing,
    z.object({
      /** Damage was found while unlocked; the next unlock repairs it. */
      needs_repair: z.boolean(),
      /** Comparing the two databases failed twice in a row; retried every minute. */
      is_not_compared: z.boolean(),
    }),
  ),
  'recovery.reports': method(nothing, z.array(recoveryReportSchema)),
  'recovery.markRead': method(z.object({ id: idSchema }), nothing),
  'recovery.readReports': method(nothing, z.array(recoveryReportSchema)),
  /** Also dismisses the losses that the report names. */
  'recovery.removeRead': method(z.object({ id: idSchema }), nothing),
  /** What the session had and is neither back nor written again, until its report is deleted. */
  'recovery.lostOfSession': method(z.object({ session_id: idSchema }), z.array(lostPartSchema)),
} as const

export type RecoveryReport = z.infer<typeof recoveryReportSchema>
export type LostPart = z.infer<typeof lostPartSchema>
export type RecoveryKind = z.infer<typeof recoveryKindSchema>
