import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

export const movedKinds = ['template', 'hours', 'authorisation', 'client', 'consent', 'session', 'transcript', 'note'] as const

const count = z.int().min(0)

export const movingProblemSchema = z.object({
  code: z.enum([
    'published-only',
    'offers-too-little',
    'person-unknown',
    'role',
    'test-key',
    'consents-say-laptop',
    'consent-asserted',
    'others-there',
    'sent-before',
    'takes-days',
    'key-ends',
    'hours-kept',
    'authorisations-stay',
  ]),
  blocking: z.boolean(),
})

const movedCountsSchema = z.object({
  clients: count,
  consents: count,
  sessions: count,
  transcripts: count,
  notes: count,
  signed_notes: count,
  addenda: count,
  templates: count,
  recordings: count,
})

export const movingLookSchema = z.object({
  looked_at: timestampSchema,
  service: lineSchema,
  practice: lineSchema,
  person: z.object({ id: idSchema, name: lineSchema.nullable(), roles: z.array(z.string()) }).nullable(),
  key_ends_at: timestampSchema.nullable(),
  there: z.object({ ours: count, others: count, more: z.boolean() }),
  send: movedCountsSchema,
  laptop_consents: count,
  days: z.int().min(1),
  problems: z.array(movingProblemSchema),
})

export const movingDifferenceSchema = z.object({
  kind: z.enum(movedKinds),
  id: idSchema,
  client_name: lineSchema.nullable(),
  session_at: timestampSchema.nullable(),
  /**
   * An error code, `differs` (the records at both services differ in `fields`), or `signed-over-erased` (text of a signed note
   * was erased, so the note can't be signed at the other service).
   */
  code: z.string(),
  fields: z.array(z.string()),
})

export const movingStateSchema = z.object({
  phase: z.enum(['none', 'looked', 'sending', 'checked', 'confirmed', 'undone']),
  address: z.string().nullable(),
  has_key: z.boolean(),
  look: movingLookSchema.nullable(),
  total: count,
  sent: count,
  checked: count,
  waiting: z.object({ reason: z.enum(['quota', 'network', 'key']), until: timestampSchema.nullable() }).nullable(),
  differences: z.array(movingDifferenceSchema),
  differing: count,
  old_store: z.enum(['in_use', 'kept', 'erasing', 'erased']),
})

export const serviceKeyStateSchema = z.object({
  state: z.enum(['none', 'unknown', 'good', 'revoked']),
  ends_at: timestampSchema.nullable(),
  renews: z.boolean(),
})

const addressSchema = z.url({ protocol: /^https?$/ }).max(500)

export const movingMethods = {
  'moving.state': method(nothing, movingStateSchema),
  /** A null address is the embedded service; a null key leaves the stored key unchanged. */
  'moving.look': method(
    z.object({ address: addressSchema.nullable(), key: z.string().min(1).max(2000).nullable() }),
    movingStateSchema,
  ),
  'moving.signIn': method(z.object({ address: addressSchema }), z.object({ address: z.url({ protocol: /^https?$/ }) })),
  'moving.finishSignIn': method(nothing, movingStateSchema),
  'moving.setKey': method(z.object({ key: z.string().min(1).max(2000) }), movingStateSchema),
  'moving.send': method(z.object({ over: z.boolean().default(false) }), movingStateSchema),
  'moving.confirm': method(z.object({ leaving: z.boolean().default(false) }), movingStateSchema),
  'moving.undo': method(nothing, movingStateSchema),
  'moving.eraseOldStore': method(nothing, movingStateSchema),
  'moving.keyState': method(nothing, serviceKeyStateSchema),
} as const

export type MovedKind = (typeof movedKinds)[number]
export type MovingState = z.infer<typeof movingStateSchema>
export type MovingLook = z.infer<typeof movingLookSchema>
export type MovingProblem = z.infer<typeof movingProblemSchema>
export type MovingDifference = z.infer<typeof movingDifferenceSchema>
export type ServiceKeyState = z.infer<typeof serviceKeyStateSchema>

export const recordSorts = ['clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates', 'working_hours'] as const

export const serviceOffersSchema = z.object({
  service: z.enum(['embedded', 'remote']),
  is_known: z.boolean(),
  kept_there: z.array(z.enum(recordSorts)),
  waiting: z.array(z.object({ kind: z.string(), count: z.int().min(1) })),
  brought_here: z.array(z.enum(recordSorts)),
  tells_changes: z.boolean(),
  unlisted: z.array(z.object({ sort: z.enum(recordSorts), count: z.int().min(1) })),
})

export const offerMethods = {
  'service.offers': method(z.object({}), serviceOffersSchema),
} as const

export type ServiceOffers = z.infer<typeof serviceOffersSchema>
export type RecordSort = (typeof recordSorts)[number]
