import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Migration, migrate, type Named, named } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { migrations as vaultMigrations } from '#core/vault/migrations.ts'
import { migrations as storeMigrations } from '#service/store/migrations.ts'

function database(): Sqlite {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-migrate-'))
  const opened = openEncrypted(join(folder, 'records.db'), Buffer.alloc(32, 1))
  onTestFinished(() => {
    opened.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return opened
}

const make: Named<Migration> = {
  name: '0001-make',
  version: 1,
  up: (opened) => opened.exec('create table said (words text not null) strict'),
}
const widen: Named<Migration> = {
  name: '0002-widen',
  version: 2,
  minSafeVersion: 0,
  up: (opened) => opened.exec('alter table said add column at integer'),
}
const split: Named<Migration> = {
  name: '0003-split',
  version: 3,
  up: (opened) => opened.exec('alter table said rename to spoken'),
}
const stateOf = (opened: Sqlite): unknown => opened.prepare('select version, min_safe_version from schema_state').get()

test('steps run once each, in order, and what was written before stays', () => {
  const opened = database()
  const told: number[] = []
  migrate(opened, [make], (version) => told.push(version))
  opened.prepare('insert into said (words) values (?)').run('kept')
  migrate(opened, [make, widen, split], (version) => told.push(version))
  migrate(opened, [make, widen, split], (version) => told.push(version))
  expect(opened.prepare('select words, at from spoken').all()).toEqual([{ words: 'kept', at: null }])
  expect(stateOf(opened)).toEqual({ version: 3, min_safe_version: 3 })
  expect(told).toEqual([1])
})

test('a step that fails leaves the schema of the step before', () => {
  const opened = database()
  const broken: Named<Migration> = {
    name: '0003-broken',
    version: 3,
    up: (inside) => {
      inside.exec('drop table said')
      throw new Error('broken')
    },
  }
  expect(() => migrate(opened, [make, widen, broken])).toThrow('broken')
  expect(stateOf(opened)).toMatchObject({ version: 2 })
  expect(opened.prepare('select count(*) from said').pluck().get()).toBe(0)
})

test('older code opens what it is safe with and refuses what it is not', () => {
  const opened = database()
  migrate(opened, [make, widen])
  migrate(opened, [make])
  expect(stateOf(opened)).toEqual({ version: 2, min_safe_version: 1 })
  migrate(opened, [make, widen, split])
  expect(() => migrate(opened, [make, widen])).toThrow(expect.objectContaining({ code: 'database-newer' }))
  expect(stateOf(opened)).toEqual({ version: 3, min_safe_version: 3 })
})

test('steps out of order, or numbered unlike their names, are a mistake in the code', () => {
  expect(() => named({ '0002-widen': widen, '0001-make': make })).toThrow('stands after')
  expect(() => named({ '0004-make': make })).toThrow('has version 1')
})

describe('a database of a release that recorded only a number', () => {
  const steps = [make, widen, split]
  /** As such a release left it. */
  function numbered(made: readonly Named<Migration>[], version: number, more = ''): Sqlite {
    const opened = database()
    migrate(opened, made)
    opened.exec(`delete from schema_steps; update schema_state set version = ${version}; ${more}`)
    return opened
  }
  const recorded = (opened: Sqlite): unknown[] => opened.prepare('select name from schema_steps order by name').pluck().all()
  const places: Named<Migration> = {
    name: '0002-places',
    version: 2,
    up: (opened) => opened.exec('create table places (id integer primary key, name text not null, note text) strict'),
  }

  test('gets the names of the steps it has, and none of them runs again', () => {
    const opened = numbered(steps, 3, "insert into spoken (words) values ('kept')")
    const snapshots: number[] = []
    migrate(opened, steps, (version) => snapshots.push(version))
    expect(recorded(opened)).toEqual(['0001-make', '0002-widen', '0003-split'])
    expect(opened.prepare('select words from spoken').pluck().all()).toEqual(['kept'])
    expect(snapshots).toEqual([])
  })

  test('gets a step that was released below its newest', () => {
    const opened = numbered([make, split], 3, "insert into spoken (words) values ('kept')")
    const snapshots: number[] = []
    migrate(opened, [make, places, split], (version) => snapshots.push(version))
    expect(recorded(opened)).toEqual(['0001-make', '0002-places', '0003-split'])
    expect(opened.prepare('select count(*) from places').pluck().get()).toBe(0)
    expect(opened.prepare('select words from spoken').pluck().all()).toEqual(['kept'])
    expect(stateOf(opened)).toEqual({ version: 3, min_safe_version: 3 })
    expect(snapshots).toEqual([3])
  })

  test('is refused, and left as it was, where a skipped step cannot run any more', () => {
    const opened = numbered([make, split], 3, "insert into spoken (words) values ('kept')")
    const copies: Named<Migration> = {
      name: '0002-copies',
      version: 2,
      up: (inside) => inside.exec('create table copies (words text not null) strict; insert into copies select words from said'),
    }
    expect(() => migrate(opened, [make, copies, split])).toThrow(expect.objectContaining({ code: 'database-mismatch' }))
    expect(recorded(opened)).toEqual([])
    expect(opened.prepare('select * from spoken').all()).toEqual([{ words: 'kept' }])
  })

  test.each([
    ['a column that may be empty', 'places (id integer primary key, name text not null) strict', "(1, 'here')", "('here', null)"],
    [
      'a column of another name',
      'places (id integer primary key, called text not null, note text) strict',
      "(1, 'here', 'x')",
      "('here', 'x')",
    ],
  ])('gets what the later form of a step adds: %s', (_what, table, row) => {
    const opened = numbered([make], 2, `create table ${table}; insert into places values ${row}`)
    migrate(opened, [make, places])
    expect(opened.prepare('select id, name from places').all()).toEqual([{ id: 1, name: 'here' }])
    expect(opened.prepare('select note from places').all()).toHaveLength(1)
  })

  test('gets an empty table in its later form, and is refused where rows would be lost', () => {
    const table = 'create table places (label text primary key, kind integer not null) strict;'
    const empty = numbered([make], 2, table)
    migrate(empty, [make, places])
    empty.exec("insert into places (name) values ('here')")
    const full = numbered([make], 2, `${table} insert into places values ('here', 1)`)
    expect(() => migrate(full, [make, places])).toThrow(expect.objectContaining({ code: 'database-mismatch' }))
    expect(full.prepare('select * from places').all()).toEqual([{ label: 'here', kind: 1 }])
  })
})

/** As released. Names are recorded in profiles, so this list only grows at its end. */
const released = {
  vault: [
    '0001-records',
    '0002-recordings',
    '0003-speaker-facts',
    '0004-insights',
    '0005-templates',
    '0006-client-context',
    '0007-kept-answers',
    '0008-outbox-turns',
    '0009-pull',
    '0010-merge',
    '0012-moving',
    '0013-kept-here',
    '0014-sent-today',
    '0015-redacted-notes',
    '0016-agreed-sessions',
    '0017-recovery-reports',
    '0018-checked-recordings',
  ],
  store: [
    '0001-practice',
    '0002-voices',
    '0003-models',
    '0004-analyses',
    '0005-templates',
    '0006-staff',
    '0007-keys',
    '0008-schedule',
    '0009-coverage',
    '0010-kept',
    '0011-uploads-and-changes',
    '0012-one-booking',
    '0013-renewing-keys',
    '0014-authority',
    '0015-booking-looks-back-a-day',
    '0016-due-over-all-practices',
    '0017-audit-heads',
    '0018-what-streams-wait-for',
    '0019-practices-that-move',
    '0020-reassignments',
    '0021-operation-texts',
  ],
}

test.each([
  ['vault', released.vault, vaultMigrations],
  ['store', released.store, storeMigrations],
])('no step of the %s lands below the newest, under a released name or with a gap', (_of, names, migrations) => {
  expect(migrations.slice(0, names.length).map(({ name }) => name)).toEqual(names)
  const newest = Number.parseInt(names.at(-1) ?? '', 10)
  const added = migrations.slice(names.length).map(({ version }) => version)
  expect(added).toEqual(added.map((_, index) => newest + 1 + index))
})
