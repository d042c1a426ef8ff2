import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { Migration, Named } from '#base/migrate.ts'
import { migrate } from '#base/migrate.ts'
import { openChecked, rebuildDatabase } from '#base/rebuild-database.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'

const key = Buffer.alloc(32, 7)
const migrations: Named<Migration>[] = [
  {
    name: '0001-notes',
    version: 1,
    up: (database) => database.exec('create table notes (id text primary key, words text not null) strict, without rowid'),
  },
]

/** Ids out of order, so that today's rows move yesterday's to other pages. */
const idOf = (number: number): string => `${(number * 7919) % 10_007}`.padStart(5, '0')

function write(database: Sqlite, from: number, to: number): void {
  const insert = database.prepare('insert into notes (id, words) values (?, ?)')
  database.transaction(() => {
    for (let number = from; number < to; number += 1) insert.run(idOf(number), `note ${number} `.repeat(20))
  })()
}

const idsIn = (database: Sqlite): string[] => database.prepare('select id from notes').pluck().all() as string[]

/** Yesterday's database beside a journal that was written to today's: `journaled` rows on few pages, or on nearly all. */
function putBack(journaled: number): string {
  const [yesterday, today] = [200, 2000]
  const folder = mkdtempSync(join(tmpdir(), 'afterword-rebuild-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [path, mixed] = [join(folder, 'records.db'), join(folder, 'mixed', 'records.db')]
  mkdirSync(join(folder, 'mixed'))
  const database = openEncrypted(path, key)
  migrate(database, migrations)
  write(database, 0, yesterday)
  database.pragma('wal_checkpoint(TRUNCATE)')
  copyFileSync(path, mixed)
  write(database, yesterday, today)
  database.prepare('delete from notes where id = ?').run(idOf(0))
  database.pragma('wal_checkpoint(TRUNCATE)')
  write(database, today, today + journaled)
  copyFileSync(`${path}-wal`, `${mixed}-wal`)
  database.close()
  return mixed
}

const hashesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.db') || name.endsWith('-wal'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )

test.each([30, 150])(
  'an older database under today’s journal is set aside with its journal as both were: %i rows',
  (journaled) => {
    const path = putBack(journaled)
    const before = hashesIn(join(path, '..'))
    expect(() => openChecked(path, key)).toThrow(new AppError('database-damaged'))
    expect(hashesIn(join(path, '..'))).toEqual(before)
  },
)

test.each([30, 150])(
  'an older database under today’s journal keeps every row of its own and the journal’s: %i rows',
  (journaled) => {
    const path = putBack(journaled)
    const own = Array.from({ length: 200 }, (_, number) => idOf(number))
    rebuildDatabase({ path, key, clock: systemClock, migrations, grows: 'notes' })
    const rebuilt = openChecked(path, key)
    onTestFinished(() => void rebuilt.close())
    const found = new Set(idsIn(rebuilt))
    expect(own.filter((id) => !found.has(id))).toEqual([])
  },
)
