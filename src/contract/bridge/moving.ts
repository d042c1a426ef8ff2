import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/**
 * Migration of the records from one service to another: from the embedded one to a practice service, or back. Until it is
 * confirmed, the app keeps using the old service.
 */

export const movedKinds = ['template', 'hours', 'authorisation', 'client', 'consent', 'session', 'transcript', 'note'] as const

const count = z.int().min(0)

export const movingProblemSchema = z.object({
  code: z.enum([
    /** The service can't store clients: it probably offers only the ten published operations. */
    'published-only',
    /** The service lacks operations a migration needs. */
    'offers-too-little',
    'person-unknown',
    /** The user has no role at the service that may treat clients. */
    'role',
    'test-key',
    /** Some clients agreed to a consent text which says that everything stays on this laptop. */
    'consents-say-laptop',
    /** The service doesn't check stored consents: it takes each call as a statement that consent was given. */
    'consent-asserted',
    'others-there',
    'sent-before',
    /** The daily call quota is too small to send everything today. */
    'takes-days',
    'key-ends',
    /** The service keeps the working hours it already has for this user. */
    'hours-kept',
    /** The service doesn't store payer authorizations, so they are not migrated. */
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
  /** Days that sending takes under the daily quota; 1 means today. */
  days: z.int().min(1),
  problems: z.array(movingProblemSchema),
})

export const movingDifferenceSchema = z.object({
  kind: z.enum(movedKinds),
  id: idSchema,
  client_name: lineSchema.nullable(),
  session_at: timestampSchema.nullable(),
  /**
   * `differs`: the target holds other values. `signed-over-erased`: the source of this signed note was erased, so it can't be
   * signed again on the target. Otherwise the error code of the refusal.
   */
  code: z.string(),
  fields: z.array(z.string()),
})

export const movingStateSchema = z.object({
  /** `undone`: canceled. Records that were already sent remain on the target. */
  phase: z.enum(['none', 'looked', 'sending', 'checked', 'confirmed', 'undone']),
  /** Address of the target; null: the embedded service, or no migration. */
  address: z.string().nullable(),
  has_key: z.boolean(),
  look: movingLookSchema.nullable(),
  total: count,
  sent: count,
  checked: count,
  /** Why sending waits, and until when; null if it does not wait. */
  waiting: z.object({ reason: z.enum(['quota', 'network', 'key']), until: timestampSchema.nullable() }).nullable(),
  differences: z.array(movingDifferenceSchema),
  /** Number of all differences; `differences` lists only the first of them. */
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
   * Checks the service at this address and counts what would be sent, but sends nothing. A null address is the embedded
   * service; a null key is the one given before.
   */
  'moving.look': method(
    z.object({ address: addressSchema.nullable(), key: z.string().min(1).max(2000).nullable() }),
    movingStateSchema,
  ),
  'moving.signIn': method(z.object({ address: addressSchema }), z.object({ address: z.url({ protocol: /^https?$/ }) })),
  'moving.finishSignIn': method(nothing, movingStateSchema),
  'moving.setKey': method(z.object({ key: z.string().min(1).max(2000) }), movingStateSchema),
  /** Starts the migration, or tries refused records again. `over`: overwrites changes made on the target. */
  'moving.send': method(z.object({ over: z.boolean().default(false) }), movingStateSchema),
  /** Switches the app to the target. `leaving`: even if some records differ. */
  'moving.confirm': method(z.object({ leaving: z.boolean().default(false) }), movingStateSchema),
  'moving.undo': method(nothing, movingStateSchema),
  /** Deletes the embedded service's copy of the records the next time the app opens them. */
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
  /** False until the app has read what the service offers. */
  is_known: z.boolean(),
  /** Records that the service stores; the others stay on this laptop. */
  kept_there: z.array(z.enum(recordSorts)),
  /** Changes that stay on this laptop because the service has no place for them, by kind of change. */
  waiting: z.array(z.object({ kind: z.string(), count: z.int().min(1) })),
  /** Records whose changes are downloaded from the service. Working hours are read when they are shown. */
  brought_here: z.array(z.enum(recordSorts)),
  /** True if the service announces changes; otherwise the app polls its lists. */
  tells_changes: z.boolean(),
  /** Records on this laptop that the service had once and no longer lists for this user. */
  unlisted: z.array(z.object({ sort: z.enum(recordSorts), count: z.int().min(1) })),
})

export const offerMethods = {
  'service.offers': method(z.object({}), serviceOffersSchema),
} as const

export type ServiceOffers = z.infer<typeof serviceOffersSchema>
export type RecordSort = (typeof recordSorts)[number]
