import { z } from 'zod'
import { lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

const offeredVersionSchema = z.object({
  version: lineSchema,
  released_at: timestampSchema.nullable(),
  /** Plain text. Never rendered as HTML. */
  notes: z.string().max(20_000).nullable(),
  bytes: z.int().min(0).nullable(),
  /** Manual download page, if Afterword doesn't install the package. */
  address: z.url({ protocol: /^https?$/ }).nullable(),
})

/**
 * Why the last step failed. `feed-unreachable`: no answer; `feed-missing`: no feed at this address; `feed-unreadable`: another
 * page answered, e.g. a sign-in page; `feed-redirected`: redirected to another server; `feed-unsigned`: no valid release
 * signature; `download-damaged`: hash mismatch.
 */
export const updateFailureSchema = z.enum([
  'feed-unreachable',
  'feed-missing',
  'feed-unreadable',
  'feed-redirected',
  'feed-unsigned',
  'download-interrupted',
  'download-damaged',
  'disk-full',
  'folder-read-only',
  'backup-failed',
  'install-failed',
])

export const updateStateSchema = z.object({
  /**
   * `install`: Afterword installs updates. `notify`: a package manager installs them. `preview`, `development`: update the
   * source instead. `not-set-up`: the build has no feed or no release key.
   */
  delivery: z.enum(['install', 'notify', 'preview', 'development', 'not-set-up']),
  phase: z.enum(['idle', 'checking', 'up-to-date', 'available', 'downloading', 'ready', 'installing', 'failed']),
  offered: offeredVersionSchema.nullable(),
  progress: z.number().min(0).max(1).nullable(),
  failure: updateFailureSchema.nullable(),
  obstacle: z.enum(['recording', 'unsaved']).nullable(),
  checked_at: timestampSchema.nullable(),
})

/** Served by the main process; the core answers only for shells that install nothing. */
export const updateMethods = {
  'updates.state': method(nothing, updateStateSchema),
  /** Resolves when the check is done; a failed check is a state, not an error. */
  'updates.check': method(nothing, updateStateSchema),
  'updates.download': method(nothing, updateStateSchema),
  /** Closes the app if nothing is recording and everything is saved; otherwise returns the obstacle. */
  'updates.install': method(nothing, updateStateSchema),
} as const

export type UpdateState = z.infer<typeof updateStateSchema>
export type UpdateFailure = z.infer<typeof updateFailureSchema>
export type OfferedVersion = z.infer<typeof offeredVersionSchema>
