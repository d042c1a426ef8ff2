import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { convert, isIntact, openEncrypted, snapshot } from '#base/sqlite.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'
import { noSmallDisk, smallDisk } from '#test/support/full-disk.ts'
import { leftOut } from '#test/support/left-out.ts'

const key = Buffer.alloc(32, 0x5a)
const otherKey = Buffer.alloc(32, 0x5b)
const secret = 'Theodora Blackwood'

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'records.db')
}

/** A closed database of some pages. */
function written(rows = 60): string {
  const path = temporary()
  const database = openEncrypted(path, key)
  database.exec('create table said (id integer primary key, words text not null) strict')
  const insert = database.prepare('insert into said (words) values (?)')
  for (let row = 0; row < rows; row++) insert.run(`${secret} ${row} ${'and then they said '.repeat(20)}`)
  database.close()
  return path
}

const rowsOf = (database: Sqlite): string[] => database.prepare('select words from said order by id').pluck().all() as string[]

function codeOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'none'
}

describe('an encrypted database', () => {
  test('shows nothing of what is in it, neither in the file nor in the journal', () => {
    const path = temporary()
    const database = openEncrypted(path, key)
    database.exec('create table said (words text) strict')
    database.prepare('insert into said values (?)').run(secret)
    for (const file of [path, `${path}-wal`]) {
      const bytes = readFileSync(file)
      for (const shown of [secret, 'SQLite format 3', 'create table']) expect(bytes.includes(shown), file).toBe(false)
    }
    database.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test.skipIf(process.platform === 'win32')(
    'can be read and written by this user alone, and so can its journals and copies',
    () => {
      const modesOf = (...files: string[]): number[] => files.map((file) => statSync(file).mode & 0o777)
      const path = temporary()
      const database = openEncrypted(path, key)
      database.exec('create table said (words text) strict')
      snapshot(database, `${path}.copy`)
      const files = [path, `${path}-wal`, `${path}-shm`]
      expect(modesOf(...files, `${path}.copy`)).toEqual([0o600, 0o600, 0o600, 0o600])
      // Left by an earlier version whose app was killed, so the journals are there too.
      for (const file of files) chmodSync(file, 0o644)
      const again = openEncrypted(path, key)
      expect(modesOf(...files)).toEqual([0o600, 0o600, 0o600])
      again.close()
      database.close()
    },
  )

  test('is durable, keeps sorts in memory and erases what is deleted', () => {
    const database = openEncrypted(temporary(), key)
    const settings = ['journal_mode', 'synchronous', 'temp_store', 'foreign_keys', 'secure_delete', 'checkpoint_fullfsync'].map(
      (name) => database.pragma(name, { simple: true }),
    )
    expect(settings).toEqual(['wal', 2, 2, 1, 1, 1])
    database.close()
  })

  test.each([
    ['another key', otherKey],
    ['no key at all', Buffer.alloc(32)],
  ])('does not open with %s', (_name, wrong) => {
    const path = written()
    expect(codeOf(() => openEncrypted(path, wrong))).toBe('database-damaged')
    const database = openEncrypted(path, key)
    expect(rowsOf(database)).toHaveLength(60)
    database.close()
  })

  test('is proven to be so while its journal still holds everything', () => {
    const path = temporary()
    const first = openEncrypted(path, key)
    first.exec('create table said (words text) strict')
    const second = openEncrypted(path, key)
    expect(second.prepare('select count(*) from said').pluck().get()).toBe(0)
    second.close()
    first.close()
  })

  test('written by a library that ignores the key is refused and leaves no file', () => {
    const library = Database.prototype as { key?: unknown; pragma: (...input: never[]) => unknown }
    const honest = library.key
    onTestFinished(() => {
      library.key = honest
    })
    for (const stock of [undefined, () => 0]) {
      library.key = stock
      const path = temporary()
      expect(codeOf(() => openEncrypted(path, key))).toBe('not-encrypted')
      expect(existsSync(path)).toBe(false)
    }
  })

  test('put there in plain text is refused and left alone', () => {
    const path = temporary()
    const plain = new Database(path)
    plain.exec(`create table said (words text); insert into said values ('${secret}')`)
    plain.close()
    const before = readFileSync(path)
    expect(codeOf(() => openEncrypted(path, key))).toBe('not-encrypted')
    expect(readFileSync(path)).toEqual(before)
  })
})

describe('damage', () => {
  test('of a single bit anywhere is found', () => {
    const path = written()
    const whole = readFileSync(path)
    const offsets = [
      ...Array(120).keys(),
      ...Array.from({ length: 200 }, (_, step) => (step * 7919 + 4001) % whole.length),
      whole.length - 1,
    ]
    for (const offset of offsets) {
      const bytes = Buffer.from(whole)
      bytes[offset]! ^= 1 << (offset % 8)
      writeFileSync(path, bytes)
      const found = codeOf(() => {
        const database = openEncrypted(path, key)
        try {
          if (!isIntact(database)) throw new AppError('database-damaged')
        } finally {
          database.close()
        }
      })
      expect(found, `offset ${offset}`).toBe('database-damaged')
    }
  })

  test('by cutting the file short is found at every length', () => {
    const path = written()
    const whole = readFileSync(path)
    for (let length = 0; length < whole.length; length += 1021) {
      writeFileSync(path, whole)
      truncateSync(path, length)
      const found = codeOf(() => {
        const database = openEncrypted(path, key)
        try {
          if (!isIntact(database)) throw new AppError('database-damaged')
        } finally {
          database.close()
        }
      })
      expect(found, `length ${length}`).toBe('database-damaged')
      for (const journal of ['-wal', '-shm']) rmSync(path + journal, { force: true })
    }
  })

  test('of the journal after a crash costs the newest commits at most, and never shows a wrong word', () => {
    const path = temporary()
    const database = openEncrypted(path, key)
    database.exec('create table said (id integer primary key, words text not null) strict')
    database.pragma('wal_checkpoint(TRUNCATE)')
    const words = Array.from({ length: 12 }, (_, row) => `${secret} ${row}`)
    for (const line of words) database.prepare('insert into said (words) values (?)').run(line)
    const crashed = temporary()
    const size = statSync(`${path}-wal`).size
    for (let offset = 0; offset < size; offset += 997) {
      copyFileSync(path, crashed)
      const journal = readFileSync(`${path}-wal`)
      journal[offset]! ^= 0x10
      writeFileSync(`${crashed}-wal`, journal)
      rmSync(`${crashed}-shm`, { force: true })
      const again = openEncrypted(crashed, key)
      const rows = rowsOf(again)
      expect(words.slice(0, rows.length)).toEqual(rows)
      again.close()
    }
    database.close()
  })

  test('a folder in place of the file is damage, and is left as it is', () => {
    const path = temporary()
    mkdirSync(path, { mode: 0o755 })
    writeFileSync(join(path, 'something'), 'else')
    expect(codeOf(() => openEncrypted(path, key))).toBe('database-damaged')
    expect(readdirSync(path)).toEqual(['something'])
    expect(statSync(path).mode & 0o700).toBe(0o700)
  })

  test('a journal without its database is not buried under a new one', () => {
    const path = temporary()
    writeFileSync(`${path}-wal`, 'records')
    expect(codeOf(() => openEncrypted(path, key))).toBe('database-damaged')
    expect(existsSync(path)).toBe(false)
  })
})

test('a snapshot is encrypted under the same key, whole, and replaces the one before', () => {
  const path = written()
  const copy = `${path}.copy`
  writeFileSync(copy, 'an older one')
  const database = openEncrypted(path, key)
  snapshot(database, copy)
  database.close()
  expect(readFileSync(copy).includes(secret)).toBe(false)
  expect(codeOf(() => openEncrypted(copy, otherKey))).toBe('database-damaged')
  const again = openEncrypted(copy, key)
  expect(isIntact(again)).toBe(true)
  expect(rowsOf(again)).toHaveLength(60)
  again.close()
})

describe('a full disk', () => {
  const without = leftOut('databases on a full disk', noSmallDisk())

  test.skipIf(without)('is said as it is, leaves no half-made file, and loses nothing acknowledged', () => {
    for (const leave of [0, 4096, 16_384, 32_768]) {
      const disk = smallDisk(1024)
      onTestFinished(() => disk.remove())
      disk.fill(leave)
      const path = join(disk.folder, 'records.db')
      expect(
        codeOf(() => openEncrypted(path, key)),
        `${leave} bytes left`,
      ).toBe('disk-full')
      expect(existsSync(path)).toBe(false)
    }
  })

  test.skipIf(without)('met while writing stops the writing and keeps what was acknowledged', () => {
    const disk = smallDisk(2048)
    onTestFinished(() => disk.remove())
    const path = join(disk.folder, 'records.db')
    const database = openEncrypted(path, key)
    database.exec('create table said (id integer primary key, words text not null) strict')
    const insert = database.prepare('insert into said (words) values (?)')
    let acknowledged = 0
    const stopped = codeOf(() => {
      for (;;) {
        try {
          insert.run(`${acknowledged}`.padEnd(3000, '.'))
        } catch (error) {
          throw convert(error)
        }
        acknowledged++
      }
    })
    expect(stopped).toBe('disk-full')
    const kept = rowsOf(database)
    expect(kept).toHaveLength(acknowledged)
    database.close()
    const again = openEncrypted(path, key)
    expect(isIntact(again)).toBe(true)
    expect(rowsOf(again)).toEqual(kept)
    again.close()
  })
})
