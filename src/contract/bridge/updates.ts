import { z } from 'zod'
import { lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** What a feed offers, once its signature has been verified. */
const offeredVersionSchema = z.object({
  version: lineSchema,
  released_at: timestampSchema.nullable(),
  /** Plain text. Never rendered as HTML. */
  notes: z.string().max(20_000).nullable(),
  bytes: z.int().min(0).nullable(),
  /** Where a person downloads the package, if Afterword does not install it. */
  address: z.url({ protocol: /^https?$/ }).nullable(),
})

/**
 * Why the last step failed.
 * `feed-unreachable`: no answer; `feed-missing`: the address has no feed; `feed-unreadable`: something else answered, e.g. a
 * sign-in page; `feed-redirected`: the answer pointed to another server; `feed-unsigned`: no valid signature of the release key;
 * `download-interrupted`, `download-damaged`: hash mismatch; `disk-full`; `folder-read-only`; `backup-failed`; `install-failed`.
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
   * `install`: Afterword installs updates. `notify`: it reports them; a package manager installs them. `preview`,
   * `development`: the source is updated instead. `not-set-up`: the build has no feed or no release key.
   */
  delivery: z.enum(['install', 'notify', 'preview', 'development', 'not-set-up']),
  phase: z.enum(['idle', 'checking', 'up-to-date', 'available', 'downloading', 'ready', 'installing', 'failed']),
  offered: offeredVersionSchema.nullable(),
  /** Set while downloading, 0 to 1. */
  progress: z.number().min(0).max(1).nullable(),
  failure: updateFailureSchema.nullable(),
  /** What keeps a downloaded update from being installed now. */
  obstacle: z.enum(['recording', 'unsaved']).nullable(),
  /** The last check that got an answer. */
  checked_at: timestampSchema.nullable(),
})

/** Served by the main process, not by the core: the core answers for a shell that installs nothing. */
export const updateMethods = {
  'updates.state': method(nothing, updateStateSchema),
  /** Answers when the check is done; a failed check is a state, not an error. */
  'updates.check': method(nothing, updateStateSchema),
  /** Answers when the download has begun. */
  'updates.download': method(nothing, updateStateSchema),
  /** Closes the app if nothing is recording and everything is saved. Otherwise answers with the obstacle. */
  'updates.install': method(nothing, updateStateSchema),
} as const

export type UpdateState = z.infer<typeof updateStateSchema>
export type UpdateFailure = z.infer<typeof updateFailureSchema>
export type OfferedVersion = z.infer<typeof offeredVersionSchema>
