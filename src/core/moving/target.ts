import type { ServiceClient } from '#client/client.ts'
import type { ClientRepository } from '#core/records/clients/client-repository.ts'
import type { ConsentRepository } from '#core/records/consent/consent-repository.ts'
import type { NoteRepository } from '#core/records/notes/note-repository.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { TemplateRepository } from '#core/records/templates/template-repository.ts'
import type { TranscriptRepository } from '#core/records/transcripts/transcript-repository.ts'
import type { Who } from './content.ts'
import type { MovingRecord } from './moving-repository.ts'

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
export interface Bringing {
  readonly own: OwnRepositories
  readonly target: Target
  readonly record: MovingRecord
  /** Kept before it is sent: after a crash one's own words are known for that. */
  readonly remember: (sent: unknown) => void
}

/** How it stands there after it was sent. */
export interface Brought {
  /** Of the record here that was sent. */
  readonly local_version: number
  readonly version: number
  readonly sent: unknown
  /** Fields that somebody changed there, and that were left. */
  readonly differing: readonly string[]
}

/** It cannot be sent at all: the code of why. */
export interface Untold {
  readonly problem: 'signed-over-erased'
}

/** How it stands there compared with here; null: it is not there. */
export type Compared = { readonly version: number; readonly differing: readonly string[] } | null
