import { isDeepStrictEqual } from 'node:util'
import { clientDraftSchema, type Client } from '#contract/model/client.ts'
import { consentDraftSchema, type Consent } from '#contract/model/consent.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { Note } from '#contract/model/note.ts'
import { sessionDraftSchema, type Session } from '#contract/model/session.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { TranscriptDraft } from '#contract/model/transcript.ts'
import { contentHash, sha256 } from '#core/records/notes/note-signing.ts'
import type { ServiceClient } from '#client/client.ts'
import type { ClientRepository } from '#core/records/clients/client-repository.ts'
import type { ConsentRepository } from '#core/records/consent/consent-repository.ts'
import type { NoteRepository } from '#core/records/notes/note-repository.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { TemplateRepository } from '#core/records/templates/template-repository.ts'
import type { TranscriptRepository } from '#core/records/transcripts/transcript-repository.ts'
import type { MovingRecord } from './moving-repository.ts'

/** Who the therapist is in the practice, and was here. */
interface Who {
  readonly person_id: string
  readonly therapist_id: string
  readonly is_owner: boolean
}

export type Fields = Readonly<Record<string, unknown>>

/** Whose it is there. Without a name on it a client is the owner's own, and else of the clinician who brings it. */
export function clinicianThere({ person_id, therapist_id, is_owner }: Who, clinician_id: string | null): string | null {
  if (clinician_id === null) return is_owner ? null : person_id
  return clinician_id === therapist_id ? person_id : clinician_id
}

export function clientThere(client: Client, who: Who) {
  const { id: _id, ...draft } = { ...clientDraftSchema.parse(client), id: client.id }
  return { ...draft, clinician_id: clinicianThere(who, client.clinician_id) }
}

/** A session of a client goes with its client where it names nobody. */
export function sessionThere(session: Session, client: Client | null, who: Who) {
  const { id: _id, ...draft } = sessionDraftSchema.parse(session)
  const clinician_id = clinicianThere(who, session.clinician_id ?? client?.clinician_id ?? null)
  return { ...draft, clinician_id, started_at: session.started_at, finished_at: session.finished_at }
}

export function consentThere(consent: Consent) {
  const { id: _id, ...draft } = consentDraftSchema.parse(consent)
  return { ...draft, revoked_at: consent.revoked_at }
}

export const templateThere = ({ name, sections, style }: OwnTemplate) => ({ name, sections, style })

export function transcriptThere({ session_id, language, duration_ms, speakers, segments, engine }: TranscriptDraft) {
  return { session_id, language, duration_ms, speakers, segments, engine }
}

export const hashOf = (content: unknown): string => sha256(canonicalJson(content))

/** Words, signature with its time, and each addendum; whose key it was is the practice's to say. */
export function noteFingerprint(note: Pick<Note, 'signature' | 'addenda'> & Parameters<typeof contentHash>[0]): Fields {
  return { content: contentHash(note), signature: note.signature, addenda: note.addenda }
}

/** Names of what stands there otherwise than it should. What was left out here is not asked about. */
export function differing(there: object, wanted: Fields): string[] {
  const current = there as Fields
  return Object.keys(wanted).filter((name) => wanted[name] !== undefined && !isSame(name, current[name], wanted[name]))
}

function isSame(name: string, left: unknown, right: unknown): boolean {
  const isTime = name.endsWith('_at') && typeof left === 'string' && typeof right === 'string'
  if (isTime) return Date.parse(left) === Date.parse(right)
  return isDeepStrictEqual(left ?? null, right ?? null)
}

export interface OwnRepositories {
  readonly clients: ClientRepository
  readonly consents: ConsentRepository
  readonly sessions: SessionRepository
  readonly templates: TemplateRepository
  readonly transcripts: TranscriptRepository
  readonly notes: NoteRepository
}

/** Where to, and as whom. */
export interface Target {
  readonly client: ServiceClient
  readonly who: Who
  readonly signal: AbortSignal
  /** What was changed there is changed to what is here; so it always is in this laptop's own copy. */
  readonly over: boolean
}

/** One record on its way there. */
export interface Uploading {
  readonly own: OwnRepositories
  readonly target: Target
  readonly record: MovingRecord
  /** Kept before it is sent: after a crash one's own words are known for that. */
  readonly remember: (sent: unknown) => void
}

/** How it stands there after it was sent. */
export interface Uploaded {
  /** Of the record here that was sent. */
  readonly local_version: number
  readonly version: number
  readonly sent: unknown
  /** Fields that somebody changed there, and that were left. */
  readonly differing: readonly string[]
}

/** It cannot be sent at all: the code of why. */
export interface Unpushed {
  readonly problem: 'signed-over-erased'
}

/** How it stands there compared with here; null: it is not there. */
export type Compared = { readonly version: number; readonly differing: readonly string[] } | null
