import { clientDraftSchema } from '#contract/model/client.ts'
import { consentDraftSchema } from '#contract/model/consent.ts'
import type { Note } from '#contract/model/note.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import { versionedKinds } from './record-kinds.ts'
import type { RecordParts } from '#core/records/repositories.ts'

type Parts = Pick<RecordParts, 'db' | 'outbox' | 'clients' | 'sessions' | 'consents' | 'transcripts' | 'notes'>

/** Queues the records of all clients again, for a service that lost its data or was replaced. */
export function pushEverythingAgain(parts: Parts): boolean {
  const { db, outbox, clients } = parts
  const known = versionedKinds.map(([, table]) => `select 1 from ${table} where service_version is not null`)
  const isKnown = [...known, 'select 1 from kept_here'].join(' union all ')
  const pushAll = db.transaction((): boolean => {
    if (db.prepare(`${isKnown} limit 1`).get() === undefined) return false
    const allClients = clients.list({})
    const work = allClients.flatMap(({ id }) => outbox.workOf(id))
    db.exec('delete from outbox')
    db.exec('delete from kept_here')
    for (const [, table] of versionedKinds) db.exec(`update ${table} set service_version = null`)
    for (const { id } of allClients) for (const intent of recordsOf(parts, id)) outbox.add(intent)
    for (const { kind, client_id, session_id, subject_id, body } of work) {
      outbox.add({ kind, client_id, session_id, subject_id, body } as AnyIntent)
    }
    return true
  })
  return pushAll.immediate()
}

function* recordsOf(parts: Parts, clientId: string): Generator<AnyIntent> {
  const { db, consents } = parts
  yield* intentsOf.client(parts, clientId)
  for (const { id } of consents.list(clientId).toReversed()) yield* intentsOf.consent(parts, id)
  const sessionIds = db.prepare('select id from sessions where client_id = ? order by starts_at, id').pluck().all(clientId)
  for (const id of sessionIds as string[]) {
    yield* intentsOf.session(parts, id)
    const transcriptId = parts.transcripts.idOf(id)
    if (transcriptId !== null) yield* intentsOf.transcript(parts, transcriptId)
    const note = parts.notes.ofSession(id)
    if (note !== null) yield* intentsOf.note(parts, note.id)
  }
}

type Repositories = Pick<Parts, 'clients' | 'sessions' | 'consents' | 'transcripts' | 'notes'>

export const intentsOf = {
  *client({ clients }: Repositories, id: string): Generator<AnyIntent> {
    const about = { client_id: id, session_id: null, subject_id: id }
    yield { kind: 'create-client', ...about, body: { ...clientDraftSchema.parse(clients.find(id)), id } }
  },
  *consent({ consents }: Repositories, id: string): Generator<AnyIntent> {
    const consent = consents.find(id)!
    const about = { client_id: consent.client_id, session_id: null, subject_id: id }
    yield { kind: 'give-consent', ...about, body: { ...consentDraftSchema.parse(consent), id } }
    if (consent.revoked_at !== null) yield { kind: 'revoke-consent', ...about, body: { revoked_at: consent.revoked_at } }
  },
  *session({ sessions }: Repositories, id: string): Generator<AnyIntent> {
    const session = sessions.find(id)!
    const about = { client_id: session.client_id, session_id: id, subject_id: id }
    yield { kind: 'create-session', ...about, body: { ...sessionDraftSchema.parse(session), id } }
    const { started_at, finished_at } = session
    if (started_at === null && finished_at === null) return
    const body = { patch: { started_at, finished_at }, base: { started_at: null, finished_at: null } }
    yield { kind: 'update-session', ...about, body }
  },
  *transcript({ sessions, transcripts }: Repositories, id: string): Generator<AnyIntent> {
    const { session_id } = transcripts.find(id)!
    const { client_id } = sessions.find(session_id)!
    yield { kind: 'put-transcript', client_id, session_id, subject_id: id, body: {} }
  },
  *note({ notes }: Repositories, id: string): Generator<AnyIntent> {
    const { client_id, session_id, signature, addenda } = notes.find(id)!
    const about = { client_id, session_id, subject_id: id }
    yield { kind: 'put-note', ...about, body: {} }
    if (signature !== null) yield { kind: 'sign-note', ...about, body: { signature } }
    for (const addendum of addenda) yield { kind: 'add-addendum', ...about, body: addendum }
  },
}

/** Intents for what the service still lacks of the note: only addenda if the note is signed there. */
export function* missingOf(theirs: Note, intents: Iterable<AnyIntent>): Generator<AnyIntent> {
  const has = new Set(theirs.addenda.map(({ id }) => id))
  for (const intent of intents) {
    if (theirs.signature !== null && intent.kind !== 'add-addendum') continue
    if (intent.kind === 'add-addendum' && has.has(intent.body.id)) continue
    yield intent
  }
}
