import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ServiceClient } from '#client/client.ts'
import { systemClock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { unknownNetwork } from '#base/metered-network.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'
import { clientSchema } from '#contract/model/client.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { createAudit } from '#core/audit/audit.ts'
import { createRepositories } from '#core/records/repositories.ts'
import { createOutbox } from '#core/outbox/outbox.ts'
import { workSenders } from '#core/sync/send-work.ts'
import { createUploadGate } from '#core/sync/send-audio.ts'
import { createResults } from '#core/sync/store-results.ts'
import { migrations } from '#core/vault/migrations.ts'

/** A session nobody agreed to, with work that found its way into the outbox, and a service that must not hear of it. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-work-'))
  const db = openEncrypted(join(folder, 'vault.db'), randomBytes(32))
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  migrate(db, migrations)
  const records = createRepositories(db)
  const audit = createAudit(db, systemClock)
  const outbox = createOutbox(db, systemClock)
  const at = timestamp(systemClock)
  const fields = { created_at: at, updated_at: at, version: 1 }
  const client = clientSchema.parse({ display_name: 'Not Asked', id: newId(), ...fields })
  const nothing = { started_at: null, finished_at: null, series_id: null, occurrence_start: null }
  const times = { starts_at: at, ends_at: at, duration_minutes: 50, session_type: 'individual' }
  const session = sessionSchema.parse({ client_id: client.id, id: newId(), ...times, ...nothing, ...fields })
  records.clients.insert(client)
  records.sessions.insert(session)
  const engine = { name: 'import', version: '1', model: null }
  const transcript = {
    id: newId(),
    session_id: session.id,
    language: 'en',
    duration_ms: null,
    speakers: [],
    segments: [],
    engine,
    ...fields,
  }
  const settings = { therapist_name: 'Ada Quill', transcribe_when_finished: true, default_template: 'soap' as const }
  const results = createResults({ ...records, settings: () => settings, outbox, audit, emit: () => {} })
  // Nothing gets as far as its sound here.
  const audio = { stat: async () => null, read: () => Readable.from([]) }
  const uploads = createUploadGate({
    clock: systemClock,
    network: unknownNetwork,
    settings: () => ({ upload_limit: null, upload_on_metered: false, network_metered: false }),
  })
  const own = {
    audio,
    uploads,
    outbox,
    clock: systemClock,
    results,
    language: () => 'en',
    reduceNoise: () => true,
    emit: () => {},
    merge: { refused: () => {}, keepCommon: () => {}, isAsked: () => false },
  }
  const senders = workSenders({ ...records, ...own })
  const calls: string[] = []
  const service = { call: async (operation: string) => void calls.push(operation) } as unknown as ServiceClient
  const options = { idempotencyKey: newId(), signal: new AbortController().signal }
  const about = { client_id: client.id, session_id: session.id, subject_id: session.id }
  return { records, outbox, results, senders, service, options, about, session, transcript, calls }
}

test('what not everyone agrees to is not sent, however it came into the outbox', async () => {
  const { records, outbox, senders, service, options, about, session, transcript, calls } = setUp()
  const upload = { recording_id: newId(), upload_id: newId(), upload_key: newId() }
  outbox.add({ kind: 'transcribe', ...about, body: { ...upload, base: null } })
  outbox.add({ kind: 'draft-note', ...about, body: { template: 'soap', base: null } })
  records.transcripts.put(transcript, session.starts_at, null)
  const transcribe = outbox.pendingWork(session.id, 'transcribe') as never
  const draft = outbox.pendingWork(session.id, 'draft-note') as never
  const missing = new AppError('consent-missing')
  await expect(senders.transcribe({ intent: transcribe, client: service, options })).rejects.toEqual(missing)
  await expect(senders['draft-note']({ intent: draft, client: service, options })).rejects.toEqual(missing)
  expect(calls).toEqual([])
})

test('a result that comes after somebody withdrew is not stored', () => {
  const { records, outbox, results, about, session, transcript } = setUp()
  outbox.add({
    kind: 'transcribe',
    ...about,
    body: { recording_id: newId(), upload_id: newId(), upload_key: newId(), base: null },
  })
  results.storeTranscript(outbox.pendingWork(session.id, 'transcribe') as never, transcript)
  expect(records.transcripts.ofSession(session.id)).toBeNull()
  expect(records.work.get(session.id, 'transcribe')).toEqual({ state: 'failed', progress: 0, error: 'consent-missing' })
})
