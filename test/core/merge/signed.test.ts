import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { clientSchema } from '#contract/model/client.ts'
import { noteSchema } from '#contract/model/note.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { contentHash } from '#core/notes/note-signing.ts'
import { createAudit } from '#core/audit/audit.ts'
import { createChange } from '#core/records/change.ts'
import { createRepositories } from '#core/records/repositories.ts'
import { createKeptHere } from '#core/sync/capabilities/kept-here.ts'
import { conflictHandlers } from '#core/sync/merge/conflict-handlers.ts'
import { createMerge } from '#core/sync/merge/merge.ts'
import { createOutbox } from '#core/sync/outbox.ts'
import { migrations } from '#core/vault/migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterword-signed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = '2026-11-24T09:00:00.000Z'
const record = { created_at: at, updated_at: at, version: 1 }
const engine = { name: 'rules', version: '1', model: null }

/** A vault with one client and a note. */
function vault() {
  const db: Sqlite = openEncrypted(join(folder, `${newId(systemClock)}.db`), randomBytes(32))
  migrate(db, migrations)
  const records = { ...createRepositories(db), db, clock: systemClock, log: silentLog, emit: () => {} }
  const audit = createAudit(db, systemClock)
  const outbox = createOutbox(db, systemClock)
  const merge = createMerge({
    ...records,
    audit,
    outbox,
    isRemote: () => true,
    takeBackWork: () => {},
    stopUnconsented: async () => {},
  })
  const handlers = conflictHandlers({
    ...records,
    resolving: merge.parts,
    change: createChange({ ...records, audit, outbox }),
    eraseRecording: async () => {},
  })
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
  const ofSession = { session_id: session.id }
  const parts = { sections: [], unsupported: [], omissions: [], checks: [], engine, addenda: [] }
  const note = noteSchema.parse({
    ...about,
    ...ofSession,
    ...parts,
    id: newId(systemClock),
    template: 'soap',
    status: 'draft',
    signature: null,
  })
  merge.take({ kind: 'client', record: client })
  merge.take({ kind: 'session', record: session })
  merge.take({ kind: 'note', record: note })
  return { db, merge, handlers, note, outbox, notes: records.notes, client }
}

/** As it is after the service has it, signed. */
function signedHere({ notes, note, client }: ReturnType<typeof vault>) {
  const signature = { signed_by: 'Kim Osei', signed_at: at, content_hash: contentHash(note), statement: 'Signed.' }
  const mine = { ...notes.find(note.id)!, client_id: client.id, status: 'signed' as const, signature: signature as never }
  notes.replace(mine, 1)
  return mine
}

test('what was signed here is replaced by nothing unsigned: asked about, and told again with its signature', async () => {
  const opened = vault()
  const { db, merge, handlers, note, notes } = opened
  const { signature } = signedHere(opened)
  merge.take({ kind: 'note', record: { ...note, template: 'dap', version: 2 } })
  expect(notes.find(note.id)?.signature).toEqual(signature)
  const [asked] = await handlers['conflicts.list']({ decided: false })
  expect(asked).toMatchObject({ kind: 'document', record: 'note', choices: ['mine'] })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: { kind: 'document', side: 'mine' } })
  expect(db.prepare('select kind from outbox order by sequence').pluck().all()).toEqual(['put-note', 'sign-note'])
  db.close()
})

test('the same words come back unsigned: the signed note stays, is asked about once, and told again', async () => {
  const opened = vault()
  const { db, merge, handlers, note, notes } = opened
  const mine = signedHere(opened)
  for (const version of [2, 3]) merge.take({ kind: 'note', record: { ...note, version } })
  expect(notes.find(note.id)).toEqual(mine)
  const [asked, ...more] = await handlers['conflicts.list']({ decided: false })
  expect(more).toEqual([])
  expect(asked).toMatchObject({ kind: 'document', record: 'note', choices: ['mine'] })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: { kind: 'document', side: 'mine' } })
  expect(db.prepare('select kind from outbox order by sequence').pluck().all()).toEqual(['put-note', 'sign-note'])
  merge.take({ kind: 'note', record: { ...note, version: 4 } })
  expect(notes.find(note.id)).toEqual(mine)
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  db.close()
})

test('its signature comes back after all: nothing is left to be asked', async () => {
  const opened = vault()
  const { db, merge, handlers, note } = opened
  const { signature } = signedHere(opened)
  merge.take({ kind: 'note', record: { ...note, version: 2 } })
  merge.take({ kind: 'note', record: { ...note, status: 'signed', signature, version: 3 } })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  db.close()
})

test('returned by a supervisor it is a draft again, signature and all', async () => {
  const opened = vault()
  const { db, merge, handlers, note, notes } = opened
  const { signature } = signedHere(opened)
  merge.take({ kind: 'note', record: { ...note, status: 'returned', signature, version: 2 } })
  expect(notes.find(note.id)).toMatchObject({ status: 'returned', signature })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  db.close()
})

test('a signature that the service of the moment cannot be told of stays, and nothing is asked', async () => {
  const opened = vault()
  const { db, merge, handlers, note, notes, client } = opened
  const mine = signedHere(opened)
  const about = { client_id: client.id, session_id: note.session_id, subject_id: note.id }
  createKeptHere(db).keep({ kind: 'sign-note', ...about, body: { signature: mine.signature } })
  merge.take({ kind: 'note', record: { ...note, version: 2 } })
  expect(notes.find(note.id)).toEqual(mine)
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  db.close()
})
