import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { FRAME_BYTES, WAL_HEADER_BYTES } from '#base/database-journal.ts'
import { migrate, type Migration, type Named } from '#base/migrate.ts'
import { PAGE_BYTES } from '#base/page-format.ts'
import type { ReadOut } from '#base/read-out.ts'
import { openChecked, rebuildDatabase } from '#base/rebuild-database.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'

const key = Buffer.alloc(32, 7)
const migrations: Named<Migration>[] = [
  {
    name: '0001-notes',
    version: 1,
    up: (database) =>
      database.exec(`
        create table notes (id integer primary key, words text not null) strict;
        create table log (sequence integer primary key, entry text not null) strict;`),
  },
]

function write(database: Sqlite, from: number, to: number, words = 'note'): void {
  const insert = database.prepare('insert or replace into notes (id, words) values (?, ?)')
  const log = database.prepare('insert into log (entry) values (?)')
  database.transaction(() => {
    for (let id = from; id < to; id += 1) {
      insert.run(id, `${words} ${id} `.repeat(20))
      log.run(`${words} ${id}`)
    }
  })()
}

function remove(database: Sqlite, id: number): void {
  database.prepare('delete from notes where id = ?').run(id)
  database.prepare('insert into log (entry) values (?)').run(`delete ${id}`)
}

const notesIn = (database: Sqlite): string[] => database.prepare('select words from notes order by id').pluck().all() as string[]

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-appended-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'records.db')
}

/** An older and a newer copy of one database. */
function twoStates() {
  const path = folderOf()
  const database = openEncrypted(path, key)
  migrate(database, migrations)
  write(database, 0, 300)
  database.pragma('wal_checkpoint(TRUNCATE)')
  const older = readFileSync(path)
  write(database, 200, 500, 'changed')
  remove(database, 7)
  const notes = notesIn(database)
  database.close()
  return { path, older, newer: readFileSync(path), notes }
}

function rebuilt(path: string): { readonly notes: readonly string[]; readonly found: ReadOut } {
  let found: ReadOut | null = null
  rebuildDatabase({ path, key, clock: systemClock, migrations, grows: 'log', onRead: (_, read) => (found = read) })
  const database = openChecked(path, key)
  const notes = notesIn(database)
  database.close()
  return { notes, found: found! }
}

const expectDamage = (path: string): void => expect(() => openChecked(path, key)).toThrow(new AppError('database-damaged'))

describe('two states of a database in one file', () => {
  test.each(['older', 'newer'] as const)('give what the newer one has, with the %s one in front', (first) => {
    const { path, older, newer, notes } = twoStates()
    writeFileSync(path, Buffer.concat(first === 'older' ? [older, newer] : [newer, older]))
    expectDamage(path)
    const { notes: found, found: read } = rebuilt(path)
    expect(found).toEqual(notes)
    expect(read).toMatchObject({ pages: (older.length + newer.length) / PAGE_BYTES, unreadable_pages: 0, incomplete: [] })
  })

  test('give what the newer one has where the older one comes twice', () => {
    const { path, older, newer, notes } = twoStates()
    writeFileSync(path, Buffer.concat([older, newer, older]))
    expectDamage(path)
    expect(rebuilt(path).notes).toEqual(notes)
  })

  test('give the rows of the older one where the newer one has lost pages', () => {
    const { path, older, newer, notes } = twoStates()
    const damaged = Buffer.from(newer).fill(0, 3 * PAGE_BYTES, 12 * PAGE_BYTES)
    writeFileSync(path, Buffer.concat([damaged, older]))
    const found = rebuilt(path).notes
    const unchanged = notes.filter((words) => words.startsWith('note'))
    expect(unchanged.filter((words) => !found.includes(words))).toEqual([])
  })

  test('give the rows of both where each was written to alone', () => {
    const { path, older, newer, notes } = twoStates()
    const other = folderOf()
    writeFileSync(other, older)
    const database = openEncrypted(other, key)
    write(database, 900, 910, 'other')
    const others = notesIn(database).slice(-10)
    database.close()
    writeFileSync(path, Buffer.concat([readFileSync(other), newer]))
    const found = rebuilt(path).notes
    expect([...notes, ...others].filter((words) => !found.includes(words))).toEqual([])
  })

  test('of which one has a salt of its own are both read', () => {
    const { path, notes } = twoStates()
    const other = folderOf()
    const database = openEncrypted(other, key)
    migrate(database, migrations)
    write(database, 900, 910, 'other')
    const others = notesIn(database)
    database.close()
    writeFileSync(path, Buffer.concat([readFileSync(other), readFileSync(path)]))
    expectDamage(path)
    expect(rebuilt(path).notes).toEqual([...notes, ...others])
  })
})

test.each([1, 100, PAGE_BYTES, 10_000])('%i foreign bytes behind a database are noticed and cost nothing', (count) => {
  const { path, newer, notes } = twoStates()
  writeFileSync(path, Buffer.concat([newer, Buffer.alloc(count, 0x5a)]))
  expectDamage(path)
  const { notes: found, found: read } = rebuilt(path)
  expect(found).toEqual(notes)
  expect(read).toMatchObject({ unreadable_pages: 0, incomplete: [] })
})

describe('a database that a crash left', () => {
  /** Rows are added and removed, and the file grows and shrinks. */
  function* work(database: Sqlite): Generator<void> {
    migrate(database, migrations)
    for (let round = 0; round < 6; round += 1) {
      write(database, round * 100, round * 100 + 150, `round ${round}`)
      yield
      remove(database, round * 100 + 3)
      yield
      if (round % 3 === 1) database.prepare('delete from notes where id % 4 > 0').run()
      if (round % 3 === 1) database.exec('vacuum')
      yield
      database.pragma(`wal_checkpoint(${['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'][round % 4]})`)
      yield
    }
  }

  function expectWhole(file: Buffer, journal: Buffer, notes: readonly string[]): void {
    const copy = folderOf()
    writeFileSync(copy, file)
    writeFileSync(`${copy}-wal`, journal)
    const opened = openChecked(copy, key)
    expect(notesIn(opened)).toEqual(notes)
    opened.close()
  }

  test('between any two steps of its work counts as whole', () => {
    const path = folderOf()
    const database = openEncrypted(path, key)
    database.pragma('wal_autocheckpoint=20')
    for (const _ of work(database)) expectWhole(readFileSync(path), readFileSync(`${path}-wal`), notesIn(database))
    database.close()
  })

  test('after any page that a checkpoint wrote counts as whole', () => {
    const path = folderOf()
    const database = openEncrypted(path, key)
    database.pragma('wal_autocheckpoint=0')
    for (const _ of work(database)) {
      const [journal, next, notes] = [readFileSync(`${path}-wal`), folderOf(), notesIn(database)]
      if (journal.length < WAL_HEADER_BYTES + FRAME_BYTES) continue
      copyFileSync(path, next)
      writeFileSync(`${next}-wal`, journal)
      const checkpointed = openEncrypted(next, key)
      checkpointed.pragma('wal_checkpoint(FULL)')
      checkpointed.close()
      const [file, target] = [readFileSync(path), readFileSync(next)]
      // Pages are written in the order of their numbers, and a file that has shrunk is cut off last.
      for (let written = PAGE_BYTES; written < target.length; written += 7 * PAGE_BYTES)
        expectWhole(Buffer.concat([target.subarray(0, written), file.subarray(written)]), journal, notes)
      expectWhole(Buffer.concat([target, file.subarray(target.length)]), journal, notes)
    }
    database.close()
  })
})
