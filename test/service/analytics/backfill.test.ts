import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { newKey } from '#base/aead.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { migrations } from '#service/store/migrations.ts'
import { sqliteFlavour } from '#service/store/migrations/migration.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterword-backfill-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('notes that were signed before this release, and sound that was transcribed, are counted after it', () => {
  const database = openEncrypted(join(folder, 'service.db'), newKey())
  const steps = migrations.map(({ sql, ...step }) => ({ ...step, up: () => void database.exec(sql(sqliteFlavour)) }))
  migrate(
    database,
    steps.filter(({ version }) => version <= 5),
  )
  database.exec("insert into practices values ('p', 'P', 'enterprise', 'now')")
  const insert = (table: string, id: string, body: object): void => {
    database
      .prepare(
        `insert into ${table} (id, practice_id, body, created_at, updated_at, version) values (?, 'p', ?, 'now', 'now', 1)`,
      )
      .run(id, JSON.stringify(body))
  }
  insert('notes', 'signed', { status: 'signed', signature: { at: '2026-03-02T10:00:00Z' } })
  insert('notes', 'draft', { status: 'draft', signature: null })
  insert('notes', 'error', { status: 'entered_in_error', signature: { at: '2026-03-02T10:00:00Z' } })
  insert('transcripts', 'sound', { duration_ms: 60_000 })
  insert('transcripts', 'typed', { duration_ms: null })
  migrate(database, steps)
  const all = (query: string): unknown[] => database.prepare(query).all()
  expect(all('select id, signed_at from notes order by id')).toEqual([
    { id: 'draft', signed_at: null },
    { id: 'error', signed_at: null },
    { id: 'signed', signed_at: '2026-03-02T10:00:00.000Z' },
  ])
  expect(all('select id, duration_ms from transcripts order by id')).toEqual([
    { id: 'sound', duration_ms: 60_000 },
    { id: 'typed', duration_ms: null },
  ])
  database.close()
})
