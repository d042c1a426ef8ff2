import type { Client } from '#contract/model/client.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'

export type MergedKind = 'client' | 'session' | 'consent' | 'transcript' | 'note' | 'template'

export type IncomingRecord =
  | { readonly kind: 'client'; readonly record: Client }
  | { readonly kind: 'session'; readonly record: Session }
  | { readonly kind: 'consent'; readonly record: Consent }
  | { readonly kind: 'transcript'; readonly record: Transcript }
  | { readonly kind: 'note'; readonly record: Note }
  | { readonly kind: 'template'; readonly record: OwnTemplate }
  | { readonly kind: MergedKind; readonly gone: string }

export interface Incoming {
  /** Call this in a transaction. Idempotent, and independent of the order of arrival. */
  take(incoming: IncomingRecord): void
}
