import type { ClientDraft, ClientPatch } from '#contract/model/client.ts'
import type { ConsentDraft } from '#contract/model/consent.ts'
import type { Addendum, Signature } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import type { SessionDraft, SessionPatch } from '#contract/model/session.ts'

export interface IntentBodies {
  'create-client': ClientDraft & { id: string }
  'update-client': { patch: ClientPatch; base: ClientPatch }
  'create-session': SessionDraft & { id: string }
  'update-session': { patch: SessionPatch; base: SessionPatch }
  'give-consent': ConsentDraft & { id: string }
  'revoke-consent': { revoked_at: string }
  'put-transcript': LastSent
  transcribe: { recording_id: string; upload_id: string; upload_key: string; base: Basis; asked?: Asked }
  'draft-note': { template: Template; base: Basis; without_ai?: boolean; said?: string; asked?: Asked }
  analyze: { base: NonNullable<Basis>; asked?: Asked }
  'put-note': LastSent
  'sign-note': { signature: Signature }
  'add-addendum': Addendum
}

/**
 * SHA-256 content hashes of the document versions sent so far. After a lost answer, they show whether the service's version
 * came from this app.
 */
export interface LastSent {
  readonly sent_hashes?: readonly string[]
}

export interface Asked {
  readonly key: string
  readonly is_plain?: boolean
  readonly operation: 'transcribeWithSpeakers' | 'generateNote' | 'generateNoteFromData' | 'analyze'
  readonly body: object
}

export type IntentKind = keyof IntentBodies

export const workKinds = ['transcribe', 'draft-note', 'analyze'] as const
export type WorkIntent = (typeof workKinds)[number]

/** Id and version of the document that existed when the work was requested; null if none did. */
export type Basis = { id: string; version: number } | null

export interface Intent<Kind extends IntentKind = IntentKind> {
  readonly kind: Kind
  readonly client_id: string
  readonly session_id: string | null
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
  /** 1 if an attempt may have been made, so that the service may have received the request; otherwise 0. */
  readonly tried: number
}
export type StoredIntent = AnyIntent & Stored

export const isWork = ({ kind }: { kind: IntentKind }): boolean => (workKinds as readonly string[]).includes(kind)

export const timingFields = [
  'starts_at',
  'duration_minutes',
  'time_zone',
  'status',
  'room_id',
  'participants',
  'session_type',
] as const satisfies readonly (keyof SessionPatch)[]

export function movesSession(intent: AnyIntent): boolean {
  return intent.kind === 'update-session' && timingFields.some((name) => name in intent.body.patch)
}
