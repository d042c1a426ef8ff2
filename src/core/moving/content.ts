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

interface Who {
  readonly person_id: string
  readonly therapist_id: string
  readonly is_owner: boolean
}

export type Fields = Readonly<Record<string, unknown>>

export function clinicianThere({ person_id, therapist_id, is_owner }: Who, clinician_id: string | null): string | null {
  if (clinician_id === null) return is_owner ? null : person_id
  return clinician_id === therapist_id ? person_id : clinician_id
}

export function clientThere(client: Client, who: Who) {
  const { id: _id, ...draft } = { ...clientDraftSchema.parse(client), id: client.id }
  return { ...draft, clinician_id: clinicianThere(who, client.clinician_id) }
}

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

/** Content, signature and addenda. Excludes `signed_by`, which the service sets from the API key. */
export function noteFingerprint(note: Pick<Note, 'signature' | 'addenda'> & Parameters<typeof contentHash>[0]): Fields {
  return { content: contentHash(note), signature: note.signature, addenda: note.addenda }
}

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

export interface Target {
  readonly client: ServiceClient
  readonly who: Who
  readonly signal: AbortSignal
  /** Overwrite the target's changes; always true for the embedded copy. */
  readonly over: boolean
}

export interface Uploading {
  readonly own: OwnRepositories
  readonly target: Target
  readonly record: MovingRecord
  /** Store before sending, so that after a crash our own data is recognized. */
  readonly remember: (sent: unknown) => void
}

export interface Uploaded {
  readonly local_version: number
  readonly version: number
  readonly sent: unknown
  readonly differing: readonly string[]
}

export interface Unpushed {
  readonly problem: 'signed-over-erased'
}

export type Compared = { readonly version: number; readonly differing: readonly string[] } | null
