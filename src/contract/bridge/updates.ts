import { z } from 'zod'
import { lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

const offeredVersionSchema = z.object({
  version: lineSchema,
  released_at: timestampSchema.nullable(),
  /** Plain text; must not be rendered as HTML. */
  notes: z.string().max(20_000).nullable(),
  bytes: z.int().min(0).nullable(),
  address: z.url({ protocol: /^https?$/ }).nullable(),
})

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
  delivery: z.enum(['install', 'notify', 'preview', 'development', 'not-set-up']),
  phase: z.enum(['idle', 'checking', 'up-to-date', 'available', 'downloading', 'ready', 'installing', 'failed']),
  offered: offeredVersionSchema.nullable(),
  progress: z.number().min(0).max(1).nullable(),
  failure: updateFailureSchema.nullable(),
  obstacle: z.enum(['recording', 'unsaved']).nullable(),
  checked_at: timestampSchema.nullable(),
})

/** Electron's main process handles these methods. In the preview, the core refuses all but `updates.state`. */
export const updateMethods = {
  'updates.state': method(nothing, updateStateSchema),
  'updates.check': method(nothing, updateStateSchema),
  'updates.download': method(nothing, updateStateSchema),
  'updates.install': method(nothing, updateStateSchema),
} as const

export type UpdateState = z.infer<typeof updateStateSchema>
export type UpdateFailure = z.infer<typeof updateFailureSchema>
export type OfferedVersion = z.infer<typeof offeredVersionSchema>
