import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { clientSchema } from '#contract/model/client.ts'
import { createRepositories } from '#core/records/repositories.ts'
import { createKeptHere } from '#core/sync/capabilities/local-only.ts'
import { createRemoveRecords } from '#core/sync/merge/tombstones.ts'
import { createSentList } from '#core/sync/sync-status.ts'
import { migrations } from '#core/vault/migrations.ts'

test('what went today says nothing of what is erased, nor of what the service could not take', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-sent-'))
  const db = openEncrypted(join(folder, 'vault.db'), randomBytes(32))
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  migrate(db, migrations)
  const at = '2026-11-24T09:00:00.000Z'
  const [client, session_id, note] = [newId(systemClock), newId(systemClock), newId(systemClock)]
  const record = { id: client, created_at: at, updated_at: at, version: 1 }
  createRepositories(db).clients.insert(clientSchema.parse({ ...record, display_name: 'Erased Client' }))
  const [sent, kept, remove] = [createSentList(db, systemClock), createKeptHere(db), createRemoveRecords(db)]
  const about = { client_id: client, session_id, body: {} as never }
  kept.keep({ kind: 'put-note', ...about, subject_id: note })
  sent.add({ kind: 'put-note', ...about, subject_id: note })
  sent.add({ kind: 'create-session', ...about, subject_id: session_id })
  sent.add({ kind: 'create-client', ...about, session_id: null, subject_id: client })
  const kinds = () => sent.list(10).items.map(({ kind }) => kind)
  expect(kinds().toSorted()).toEqual(['create-client', 'create-session'])
  kept.remove({ kind: 'put-note', subject_id: note })
  sent.add({ kind: 'put-note', ...about, subject_id: note })
  expect(kinds()).toContain('put-note')
  remove.note(note)
  expect(kinds().toSorted()).toEqual(['create-client', 'create-session'])
  remove.session(session_id)
  expect(kinds()).toEqual(['create-client'])
  remove.client(client)
  sent.add({ kind: 'create-client', ...about, session_id: null, subject_id: client })
  expect(sent.list(10)).toEqual({ items: [], total: 0 })
})
