import { clientDraftSchema } from '#contract/model/client.ts'
import { consentDraftSchema } from '#contract/model/consent.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ClientRepository } from '#core/records/clients/client-repository.ts'
import type { ConsentRepository } from '#core/records/consent/consent-repository.ts'
import type { NoteRepository } from '#core/records/notes/note-repository.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { TranscriptRepository } from '#core/records/transcripts/transcript-repository.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Offers } from './capabilities.ts'
import type { KeptHere } from './kept-here.ts'

interface Parts {
  readonly db: Sqlite
  readonly outbox: Outbox
  readonly keptHere: KeptHere
  readonly clients: ClientRepository
  readonly sessions: SessionRepository
  readonly consents: ConsentRepository
  readonly transcripts: TranscriptRepository
  readonly notes: NoteRepository
}

/** What stayed here and is now taken by the service is told, as it stands. */
export function tellWhatWasKept(parts: Parts, offers: Offers): void {
  const { db, keptHere, outbox, clients } = parts
  db.transaction(() => {
    for (const kept of keptHere.all()) {
      // Meanwhile it is there after all, and came from there.
      if (kept.kind === 'create-client' && clients.serviceVersion(kept.subject_id) !== null) keptHere.remove(kept)
      if (keptHere.staysHere(kept, offers)) continue
      keptHere.remove(kept)
      for (const intent of asItStands(parts, kept)) outbox.add(intent)
    }
  }).immediate()
}

function* asItStands(parts: Parts, kept: AnyIntent): Generator<AnyIntent> {
  const { client_id, session_id, subject_id } = kept
  const about = { client_id, session_id, subject_id }
  const note = parts.notes.find(subject_id)
  switch (kept.kind) {
    case 'create-client': {
      const client = parts.clients.find(subject_id)
      if (client === null || parts.clients.serviceVersion(subject_id) !== null) return
      parts.keptHere.remove({ kind: 'update-client', subject_id })
      yield { kind: 'create-client', ...about, body: { ...clientDraftSchema.parse(client), id: subject_id } }
      return
    }
    case 'create-session':
      return yield* newSession(parts, about)
    case 'give-consent': {
      const consent = parts.consents.find(subject_id)
      if (consent === null) return
      yield { kind: 'give-consent', ...about, body: { ...consentDraftSchema.parse(consent), id: subject_id } }
      return
    }
    case 'add-addendum':
      for (const addendum of note?.addenda ?? []) yield { kind: 'add-addendum', ...about, body: addendum }
      return
    case 'sign-note':
      if (note !== null && note.signature !== null) yield { kind: 'sign-note', ...about, body: { signature: note.signature } }
      return
    case 'put-note':
      if (note !== null) yield { kind: 'put-note', ...about, body: {} }
      return
    case 'put-transcript':
      if (parts.transcripts.find(subject_id) !== null) yield { kind: 'put-transcript', ...about, body: {} }
      return
    default:
      yield kept
  }
}

type About = Pick<AnyIntent, 'client_id' | 'session_id' | 'subject_id'>

function* newSession({ sessions, keptHere }: Parts, about: About): Generator<AnyIntent> {
  const { subject_id: id } = about
  const session = sessions.find(id)
  if (session === null) return
  keptHere.remove({ kind: 'update-session', subject_id: id })
  yield { kind: 'create-session', ...about, body: { ...sessionDraftSchema.parse(session), id } }
  const { started_at, finished_at } = session
  if (started_at === null && finished_at === null) return
  const body = { patch: { started_at, finished_at }, base: { started_at: null, finished_at: null } }
  yield { kind: 'update-session', ...about, body }
}
