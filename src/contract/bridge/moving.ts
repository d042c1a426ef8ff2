import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** Migration from the embedded service to a practice service; reversible until confirmed. */

export const movedKinds = ['template', 'hours', 'authorisation', 'client', 'consent', 'session', 'transcript', 'note'] as const

const count = z.int().min(0)

export const movingProblemSchema = z.object({
  code: z.enum([
    /** The service offers only the ten published operations and can't store clients. */
    'published-only',
    /** The service lacks operations a migration needs. */
    'offers-too-little',
    'person-unknown',
    /** The key's owner has no treating role there. */
    'role',
    'test-key',
    /** Some consents state that everything stays on this laptop. */
    'consents-say-laptop',
    /** The service accepts the caller's assertion of consent. */
    'consent-asserted',
    'others-there',
    'sent-before',
    /** The practice's daily quota is too small to send everything today. */
    'takes-days',
    'key-ends',
    /** The service keeps the working hours it already has for this user. */
    'hours-kept',
    /** The service doesn't store authorizations; they stay in the embedded service. */
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
  /** Days needed under the daily quota; 1: done today. */
  days: z.int().min(1),
  problems: z.array(movingProblemSchema),
})

export const movingDifferenceSchema = z.object({
  kind: z.enum(movedKinds),
  id: idSchema,
  client_name: lineSchema.nullable(),
  session_at: timestampSchema.nullable(),
  /**
   * `differs`: changed on the target; `signed-over-erased`: the target can't store it; otherwise the error code of the refusal.
   */
  code: z.string(),
  fields: z.array(z.string()),
})

export const movingStateSchema = z.object({
  /** `undone`: canceled; records already sent remain on the target. */
  phase: z.enum(['none', 'looked', 'sending', 'checked', 'confirmed', 'undone']),
  /** Target address; null: the embedded service. */
  address: z.string().nullable(),
  has_key: z.boolean(),
  look: movingLookSchema.nullable(),
  total: count,
  sent: count,
  checked: count,
  /** Why sending is waiting; null: sending or finished. */
  waiting: z.object({ reason: z.enum(['quota', 'network', 'key']), until: timestampSchema.nullable() }).nullable(),
  differences: z.array(movingDifferenceSchema),
  /** Total number of differences, including unlisted ones. */
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
  /**
   * Checks the service at this address and counts what would be sent; sends nothing. Address null: the embedded service;
   * key null: the previous key.
   */
  'moving.look': method(
    z.object({ address: addressSchema.nullable(), key: z.string().min(1).max(2000).nullable() }),
    movingStateSchema,
  ),
  'moving.signIn': method(z.object({ address: addressSchema }), z.object({ address: z.url({ protocol: /^https?$/ }) })),
  'moving.finishSignIn': method(nothing, movingStateSchema),
  'moving.setKey': method(z.object({ key: z.string().min(1).max(2000) }), movingStateSchema),
  /** Starts the migration, or retries refused records. `over`: overwrite changes made on the target. */
  'moving.send': method(z.object({ over: z.boolean().default(false) }), movingStateSchema),
  /** Switches to the practice service. `leaving`: even if some records differ. */
  'moving.confirm': method(z.object({ leaving: z.boolean().default(false) }), movingStateSchema),
  'moving.undo': method(nothing, movingStateSchema),
  /** Deletes the embedded service's copy of migrated records the next time the records are opened. */
  'moving.eraseOldStore': method(nothing, movingStateSchema),
  'moving.keyState': method(nothing, serviceKeyStateSchema),
} as const

export type MovedKind = (typeof movedKinds)[number]
export type MovingState = z.infer<typeof movingStateSchema>
export type MovingLook = z.infer<typeof movingLookSchema>
export type MovingProblem = z.infer<typeof movingProblemSchema>
export type MovingDifference = z.infer<typeof movingDifferenceSchema>
export type ServiceKeyState = z.infer<typeof serviceKeyStateSchema>
