import type { ClientDraft, ClientPatch } from '#contract/model/client.ts'
import type { ConsentDraft } from '#contract/model/consent.ts'
import type { Addendum, Signature } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import type { SessionDraft, SessionPatch } from '#contract/model/session.ts'

/** What the service is to be told, by kind. The kind's name is what a person reads in the outbox. */
export interface IntentBodies {
  'create-client': ClientDraft & { id: string }
  /** `base`: the patched fields as they were, to tell a change of one's own from somebody else's. */
  'update-client': { patch: ClientPatch; base: ClientPatch }
  'create-session': SessionDraft & { id: string }
  'update-session': { patch: SessionPatch; base: SessionPatch }
  'give-consent': ConsentDraft & { id: string }
  'revoke-consent': { revoked_at: string }
  /** Sends the transcript as it stands when its turn comes; so does `put-note`. */
  'put-transcript': LastSent
  transcribe: { recording_id: string; upload_id: string; upload_key: string; base: Basis; asked?: Asked }
  'draft-note': { template: Template; base: Basis; without_ai?: boolean; asked?: Asked }
  /** `base`: the transcript as it stood when it was asked for. */
  analyze: { base: NonNullable<Basis>; asked?: Asked }
  'put-note': LastSent
  'sign-note': { signature: Signature }
  'add-addendum': Addendum
}

/** SHA-256 of what was sent before: should an answer be lost, the service's version is known for one's own. */
export interface LastSent {
  readonly sent_hashes?: readonly string[]
}

/** What the service was asked under this key, whether or not an answer came. */
export interface Asked {
  readonly key: string
  /** In the words for a service that lacks something of what is usual. */
  readonly is_plain?: boolean
  readonly operation: 'transcribeWithSpeakers' | 'generateNote' | 'generateNoteFromData' | 'analyze'
  readonly body: object
}

export type IntentKind = keyof IntentBodies

/** The record that stood there when the work was asked for: a result replaces it only if it still stands unchanged. */
export type Basis = { id: string; version: number } | null

export interface Intent<Kind extends IntentKind = IntentKind> {
  readonly kind: Kind
  readonly client_id: string
  readonly session_id: string | null
  /** The record it is about; intents about one record never overtake each other. */
  readonly subject_id: string
  readonly body: IntentBodies[Kind]
}

export type AnyIntent = { [Kind in IntentKind]: Intent<Kind> }[IntentKind]

export type OutboxState = 'waiting' | 'polling' | 'needs_you'

interface Stored {
  readonly sequence: number
  readonly id: string
  readonly idempotency_key: string
  readonly state: OutboxState
  readonly operation_id: string | null
  readonly attempts: number
  readonly error: string | null
  readonly created_at: string
  /** 1: it was sent at least once, and its outcome may be unknown. */
  readonly tried: number
}
export type StoredIntent = AnyIntent & Stored

/** Long work, which is asked for and then asked about. */
export function isWork({ kind }: { kind: IntentKind }): boolean {
  return kind === 'transcribe' || kind === 'draft-note' || kind === 'analyze'
}

/** Fields of a session by which times, rooms and people are taken or given free. */
export const timingFields = [
  'starts_at',
  'duration_minutes',
  'time_zone',
  'status',
  'room_id',
  'participants',
  'session_type',
] as const satisfies readonly (keyof SessionPatch)[]

/** Whether a session is moved to another time, or out of it. */
export function movesSession(intent: AnyIntent): boolean {
  return intent.kind === 'update-session' && timingFields.some((name) => name in intent.body.patch)
}
