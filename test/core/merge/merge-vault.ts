import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { clientSchema } from '#contract/model/client.ts'
import { noteSchema } from '#contract/model/note.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { type Audit, createAudit } from '#core/audit/audit.ts'
import { createChange } from '#core/records/change.ts'
import { createRepositories, type Repositories } from '#core/records/repositories.ts'
import { conflictHandlers } from '#core/sync/merge/conflict-handlers.ts'
import { createMerge, type Merge } from '#core/sync/merge/merge.ts'
import { createOutbox, type Outbox } from '#core/outbox/outbox.ts'
import { migrations } from '#core/vault/migrations.ts'

export const at = '2026-11-24T09:00:00.000Z'
export const record = { created_at: at, updated_at: at, version: 1 }
export const engine = { name: 'rules', version: '1', model: null }

interface MergeVault extends ReturnType<typeof someone> {
  readonly db: Sqlite
  readonly records: Repositories
  readonly audit: Audit
  readonly outbox: Outbox
  readonly merge: Merge
  readonly handlers: ReturnType<typeof conflictHandlers>
  /** Recordings that were erased, and clients whose work was stopped. */
  readonly erasedSound: string[]
  readonly stopped: string[]
}

/** A vault with a client, a session and a draft, and what brings into it what the service says; gone with its test. */
export function mergeVault(): MergeVault {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-merge-'))
  const db: Sqlite = openEncrypted(join(folder, 'vault.db'), randomBytes(32))
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  migrate(db, migrations)
  const records = { ...createRepositories(db), db, clock: systemClock, log: silentLog, emit: () => {} }
  const audit = createAudit(db, systemClock)
  const outbox = createOutbox(db, systemClock)
  const erasedSound: string[] = []
  const stopped: string[] = []
  const merge = createMerge({
    ...records,
    audit,
    outbox,
    isRemote: () => true,
    takeBackWork: () => {},
    stopUnconsented: async (clientId) => void stopped.push(clientId),
  })
  const handlers = conflictHandlers({
    ...records,
    resolving: merge.parts,
    change: createChange({ ...records, audit, outbox }),
    eraseRecording: async (id) => {
      erasedSound.push(id)
      db.prepare("update recordings set state = 'erased' where id = ?").run(id)
    },
  })
  const people = someone()
  merge.take({ kind: 'client', record: people.client })
  merge.take({ kind: 'session', record: people.session })
  merge.take({ kind: 'note', record: people.note })
  return { db, records, audit, outbox, merge, handlers, erasedSound, stopped, ...people }
}

function someone() {
  const client = clientSchema.parse({ ...record, id: newId(systemClock), display_name: 'Erased Client' })
  const about = { ...record, client_id: client.id }
  const session = sessionSchema.parse({
    ...about,
    id: newId(systemClock),
    session_type: 'individual',
    starts_at: at,
    ends_at: '2026-11-24T09:50:00.000Z',
    duration_minutes: 50,
    started_at: null,
    finished_at: null,
    series_id: null,
    occurrence_start: null,
  })
  const parts = { sections: [], unsupported: [], omissions: [], checks: [], engine, addenda: [] }
  const note = noteSchema.parse({
    ...about,
    ...parts,
    id: newId(systemClock),
    session_id: session.id,
    template: 'soap',
    status: 'draft',
    signature: null,
  })
  return { client, session, note }
}
