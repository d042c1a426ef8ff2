import type { Sqlite } from '#base/sqlite.ts'
import type { ClientRepository } from '#core/records/clients/client-repository.ts'
import type { ConsentRepository } from '#core/records/consent/consent-repository.ts'
import type { NoteRepository } from '#core/records/notes/note-repository.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { TranscriptRepository } from '#core/records/transcripts/transcript-repository.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { intentsOf } from '#core/sync/push-again.ts'
import type { Offers } from './capabilities.ts'
import type { LocalOnly } from './local-only.ts'

interface Parts {
  readonly db: Sqlite
  readonly outbox: Outbox
  readonly localOnly: LocalOnly
  readonly clients: ClientRepository
  readonly sessions: SessionRepository
  readonly consents: ConsentRepository
  readonly transcripts: TranscriptRepository
  readonly notes: NoteRepository
}

export function pushLocalOnly(parts: Parts, offers: Offers): void {
  const { db, localOnly, outbox, clients } = parts
  db.transaction(() => {
    for (const kept of localOnly.all()) {
      // The client has since arrived from the service.
      if (kept.kind === 'create-client' && clients.serviceVersion(kept.subject_id) !== null) localOnly.remove(kept)
      if (localOnly.isLocalOnly(kept, offers)) continue
      localOnly.remove(kept)
      for (const intent of asItStands(parts, kept)) outbox.add(intent)
    }
  }).immediate()
}

const recordOf = {
  'create-client': 'client',
  'create-session': 'session',
  'give-consent': 'consent',
  'put-transcript': 'transcript',
  'put-note': 'note',
  'sign-note': 'note',
  'add-addendum': 'note',
} as const

const isOfRecord = (kind: string): kind is keyof typeof recordOf => Object.hasOwn(recordOf, kind)

function* asItStands(parts: Parts, kept: AnyIntent): Generator<AnyIntent> {
  const { kind, subject_id } = kept
  if (!isOfRecord(kind)) {
    yield kept
    return
  }
  const record = recordOf[kind]
  if (parts[`${record}s`].find(subject_id) === null) return
  if (kind === 'create-client') {
    if (parts.clients.serviceVersion(subject_id) !== null) return
    parts.localOnly.remove({ kind: 'update-client', subject_id })
  }
  if (kind === 'create-session') parts.localOnly.remove({ kind: 'update-session', subject_id })
  for (const intent of intentsOf[record](parts, subject_id)) if (intent.kind === kind || kind === 'create-session') yield intent
}
