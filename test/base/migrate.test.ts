import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#base/migrate.ts'
import type { Migration } from '#base/migrate.ts'
import { openEncrypted } from '#base/sqlite.ts'
import type { Sqlite } from '#base/sqlite.ts'

function database(): Sqlite {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-migrate-'))
  const opened = openEncrypted(join(folder, 'records.db'), Buffer.alloc(32, 1))
  onTestFinished(() => {
    opened.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return opened
}

const make: Migration = { version: 1, up: (opened) => opened.exec('create table said (words text not null) strict') }
const widen: Migration = { version: 2, minSafeVersion: 0, up: (opened) => opened.exec('alter table said add column at integer') }
const split: Migration = { version: 3, up: (opened) => opened.exec('alter table said rename to spoken') }
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
  const broken: Migration = {
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

test('steps out of order are a mistake in the code', () => {
  expect(() => migrate(database(), [widen, make])).toThrow('stands after')
})
