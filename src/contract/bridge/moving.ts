import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** Moving house: from the service inside this app to a practice's, with everything, and back again until it is confirmed. */

export const movedKinds = ['template', 'hours', 'authorisation', 'client', 'consent', 'session', 'transcript', 'note'] as const

const count = z.int().min(0)

/** What stands in the way, or is good to know before anything is sent; worded in strings/. */
export const movingProblemSchema = z.object({
  code: z.enum([
    /** Only the ten published operations: there is nowhere to keep a client. */
    'published-only',
    /** It does not offer all that a move needs. */
    'offers-too-little',
    /** It does not say whose key this is. */
    'person-unknown',
    /** Whoever this key is for treats nobody there. */
    'role',
    /** Made for trying out. */
    'test-key',
    /** Some of those who agreed were told that everything stays on this laptop. */
    'consents-say-laptop',
    /** The service takes a caller's word that consent was given. */
    'consent-asserted',
    /** Other therapists' clients are there. */
    'others-there',
    /** Some of these records are there from an earlier attempt. */
    'sent-before',
    /** The day's calls of the practice do not do for everything at once. */
    'takes-days',
    /** The key ends before everything is sent. */
    'key-ends',
    /** It has working hours for this person already, and keeps those. */
    'hours-kept',
    /** It keeps nothing that payers approved: that stays in the service inside this app. */
    'authorisations-stay',
  ]),
  /** It cannot begin like this. */
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
  /** Recordings of which a transcript is still to be made, there. */
  recordings: count,
})

/** What a look at the practice's service found. */
export const movingLookSchema = z.object({
  looked_at: timestampSchema,
  service: lineSchema,
  practice: lineSchema,
  /** Who this app would be there. */
  person: z.object({ id: idSchema, name: lineSchema.nullable(), roles: z.array(z.string()) }).nullable(),
  key_ends_at: timestampSchema.nullable(),
  there: z.object({ ours: count, others: count, more: z.boolean() }),
  send: movedCountsSchema,
  /** Agreements, not taken back, whose words say that everything stays on this laptop. */
  laptop_consents: count,
  /** Days it takes with what the practice may call in a day; 1: today. */
  days: z.int().min(1),
  problems: z.array(movingProblemSchema),
})

/** One record that is not there as it is here. */
export const movingDifferenceSchema = z.object({
  kind: z.enum(movedKinds),
  id: idSchema,
  client_name: lineSchema.nullable(),
  session_at: timestampSchema.nullable(),
  /** `differs`: somebody changed it there; `signed-over-erased`: no other service can be told of it; else the code that it was refused with. */
  code: z.string(),
  fields: z.array(z.string()),
})

export const movingStateSchema = z.object({
  /** `undone`: given up; what was sent until then is still there. */
  phase: z.enum(['none', 'looked', 'sending', 'checked', 'confirmed', 'undone']),
  /** Null: the service inside this app. */
  address: z.string().nullable(),
  has_key: z.boolean(),
  look: movingLookSchema.nullable(),
  total: count,
  sent: count,
  checked: count,
  /** Why nothing is sent just now; null: it goes on, or is through. */
  waiting: z.object({ reason: z.enum(['quota', 'network', 'key']), until: timestampSchema.nullable() }).nullable(),
  differences: z.array(movingDifferenceSchema),
  /** More of them than are listed. */
  differing: count,
  /** Whether the store of the service inside this app still has these records. */
  old_store: z.enum(['in_use', 'kept', 'erasing', 'erased']),
})

/** How the key to the practice's service stands. */
export const serviceKeyStateSchema = z.object({
  /** `revoked`: the service takes it no more. */
  state: z.enum(['none', 'unknown', 'good', 'revoked']),
  ends_at: timestampSchema.nullable(),
  /** The app makes it good for longer by itself. */
  renews: z.boolean(),
})

const addressSchema = z.url({ protocol: /^https?$/ }).max(500)

export const movingMethods = {
  'moving.state': method(nothing, movingStateSchema),
  /**
   * Asks the service at this address what is there and what would be sent; sends nothing. Address null: the service inside
   * this app; key null: the one of before.
   */
  'moving.look': method(
    z.object({ address: addressSchema.nullable(), key: z.string().min(1).max(2000).nullable() }),
    movingStateSchema,
  ),
  /** Begins to sign in there; the address is a page for the system's browser. */
  'moving.signIn': method(z.object({ address: addressSchema }), z.object({ address: z.url({ protocol: /^https?$/ }) })),
  'moving.finishSignIn': method(nothing, movingStateSchema),
  /** Another key for a move that is under way. */
  'moving.setKey': method(z.object({ key: z.string().min(1).max(2000) }), movingStateSchema),
  /** Begins, or tries again what was refused. `over`: what was changed there is changed to what is here. */
  'moving.send': method(z.object({ over: z.boolean().default(false) }), movingStateSchema),
  /** From now on the practice's service is the one. `leaving`: also with what is not there as it is here. */
  'moving.confirm': method(z.object({ leaving: z.boolean().default(false) }), movingStateSchema),
  'moving.undo': method(nothing, movingStateSchema),
  /** What the service inside this app still has of records that are the practice's now is erased when they are opened next. */
  'moving.eraseOldStore': method(nothing, movingStateSchema),
  'moving.keyState': method(nothing, serviceKeyStateSchema),
} as const

export type MovedKind = (typeof movedKinds)[number]
export type MovingState = z.infer<typeof movingStateSchema>
export type MovingLook = z.infer<typeof movingLookSchema>
export type MovingProblem = z.infer<typeof movingProblemSchema>
export type MovingDifference = z.infer<typeof movingDifferenceSchema>
export type ServiceKeyState = z.infer<typeof serviceKeyStateSchema>
