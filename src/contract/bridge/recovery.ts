import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** The damaged file: `vault.db`, `service.db`, the encrypted keys, or the files in `recordings`. */
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
  /** The plurals mean an unknown number of records whose client and date are unknown. */
  'clients',
  'consents',
  'sessions',
  'transcripts',
  'notes',
  /** The list of records was lost, so more may be missing than the report names. */
  'list',
  'other',
])

const recoveryItemSchema = z.object({
  kind: recoveryKindSchema,
  is_recovered: z.boolean(),
  is_partial: z.boolean(),
  /** A note that was signed. */
  is_signed: z.boolean(),
  /** The client's name now, or else the last one known; null if unknown or if the record is about no client. */
  client_name: lineSchema.nullable(),
  session_id: idSchema.nullable(),
  /** Start of the session, or else the day the record was created; null if unknown. */
  date: timestampSchema.nullable(),
})

const lostPartSchema = z.object({
  session_id: idSchema,
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
  /** Names under which the damaged originals stay in the data folder. */
  set_aside: z.array(z.string()),
  /** Other files in the data folder that hold such records, if some are missing. */
  copies: z.array(z.string()),
  /** Pages of 4 KB; 0 if they could not be counted. */
  pages: z.int().min(0),
  unreadable_pages: z.int().min(0),
  items: z.array(recoveryItemSchema),
  /** A later opening compared both databases, and nothing was missing. */
  solved_at: timestampSchema.nullable(),
})

export const recoveryMethods = {
  /** A `records.changed` event of kind `recovery` announces changes. */
  'recovery.state': method(
    nothing,
    z.object({
      /** True if damage was found in use; the next time the records are opened, it is repaired. */
      needs_repair: z.boolean(),
      /** True if comparing `vault.db` with `service.db` failed twice in a row. It is tried again every minute. */
      is_not_compared: z.boolean(),
    }),
  ),
  'recovery.reports': method(nothing, z.array(recoveryReportSchema)),
  'recovery.markRead': method(z.object({ id: idSchema }), nothing),
  'recovery.readReports': method(nothing, z.array(recoveryReportSchema)),
  /** Also dismisses the losses that the report names. */
  'recovery.removeRead': method(z.object({ id: idSchema }), nothing),
  /** Lost parts of sessions that were neither recovered nor written again. Deleting a report removes the losses it names. */
  'recovery.lostParts': method(nothing, z.array(lostPartSchema)),
} as const

export type RecoveryReport = z.infer<typeof recoveryReportSchema>
export type LostPart = z.infer<typeof lostPartSchema>
export type RecoveryKind = z.infer<typeof recoveryKindSchema>
