import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { FRAME_BYTES, FRAME_HEADER_BYTES, WAL_HEADER_BYTES } from '#base/database-journal.ts'
import type { Migration, Named } from '#base/migrate.ts'
import { migrate } from '#base/migrate.ts'
import { PAGE_BYTES, SIGNED_BYTES } from '#base/page-format.ts'
import type { ReadOut } from '#base/read-out.ts'
import { openChecked, rebuildDatabase } from '#base/rebuild-database.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'

const key = Buffer.alloc(32, 7)
const migrations: Named<Migration>[] = [
  {
    name: '0001-notes',
    version: 1,
    up: (database) => database.exec('create table notes (id integer primary key autoincrement, words text not null) strict'),
  },
]

function write(database: Sqlite, count: number): void {
  const insert = database.prepare('insert into notes (words) values (?)')
  database.transaction(() => {
    for (let number = 0; number < count; number += 1) insert.run(`note ${number} `.repeat(20))
  })()
}

const rowsIn = (database: Sqlite): unknown[] => database.prepare("select id || ' ' || words from notes order by id").pluck().all()

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'records.db')
}

/** A closed database of about 100 pages, and its rows. */
function made(rows = 1500): { readonly path: string; readonly rows: readonly unknown[] } {
  const path = folderOf()
  const database = openEncrypted(path, key)
  migrate(database, migrations)
  write(database, rows)
  const written = rowsIn(database)
  database.close()
  return { path, rows: written }
}

/** The same as left by a killed process: `commits` transactions of 40 rows are only in the journal. */
function killed(commits: number): { readonly path: string; readonly rows: readonly unknown[] } {
  const [path, copy] = [folderOf(), folderOf()]
  const database = openEncrypted(path, key)
  migrate(database, migrations)
  write(database, 200)
  database.pragma('wal_checkpoint(TRUNCATE)')
  for (let commit = 0; commit < commits; commit += 1) write(database, 40)
  const rows = rowsIn(database)
  for (const end of ['', '-wal']) copyFileSync(path + end, copy + end)
  database.close()
  return { path: copy, rows }
}

function change(path: string, work: (bytes: Buffer) => Buffer | void): void {
  const bytes = readFileSync(path)
  writeFileSync(path, work(bytes) ?? bytes)
}

const flip = (path: string, ...places: number[]): void =>
  change(path, (bytes) => {
    for (const at of places) bytes[at]! ^= 0x10
  })

function rebuilt(path: string): { readonly rows: readonly unknown[]; readonly found: ReadOut } {
  let found: ReadOut | null = null
  rebuildDatabase({ path, key, clock: systemClock, migrations, grows: 'notes', onRead: (_, read) => (found = read) })
  const database = openChecked(path, key)
  const rows = rowsIn(database)
  database.close()
  return { rows, found: found! }
}

const expectDamage = (path: string): void => expect(() => openChecked(path, key)).toThrow(new AppError('database-damaged'))

const pageAt = (number: number): number => (number - 1) * PAGE_BYTES

const frameAt = (index: number): number => WAL_HEADER_BYTES + index * FRAME_BYTES

describe('one changed bit', () => {
  test.each([
    ['in the first page', 1, 500],
    ['at the start of a page', 7, 0],
    ['in the middle of a page', 20, 2222],
    ['in the nonce of a page', 30, SIGNED_BYTES - 3],
    ['in the authentication tag of a page', 40, SIGNED_BYTES + 9],
  ])('%s costs nothing', (_, page, at) => {
    const { path, rows } = made()
    flip(path, pageAt(page) + at)
    expectDamage(path)
    const { rows: found, found: read } = rebuilt(path)
    expect(found).toEqual(rows)
    expect(read).toMatchObject({ unreadable_pages: 0, lost_rows: 0, incomplete: [] })
  })

  test('in each of many pages costs nothing', () => {
    const { path, rows } = made()
    flip(path, ...Array.from({ length: 12 }, (_, index) => pageAt(index + 3) + 64 * index))
    expect(rebuilt(path).rows).toEqual(rows)
  })

  test('in each frame of earlier commits in the journal costs nothing', () => {
    const { path, rows } = killed(5)
    // Without the last commit: a power failure may have cut it off.
    const frames = Math.floor((statSync(`${path}-wal`).size - WAL_HEADER_BYTES) / FRAME_BYTES) - 6
    flip(`${path}-wal`, ...Array.from({ length: frames }, (_, index) => frameAt(index) + FRAME_HEADER_BYTES + 50 * index))
    expectDamage(path)
    expect(rebuilt(path).rows).toEqual(rows)
  })

  const last = (path: string): number => Math.floor((statSync(path).size - WAL_HEADER_BYTES) / FRAME_BYTES) - 1
  test.each([
    ['the page number', 3, () => 3],
    ['the page number of the last frame', 3, last],
    ['the size after a commit', 7, last],
    ['the checksum', 20, () => 3],
    ['the checksum of the last frame', 20, last],
    ['the page', FRAME_HEADER_BYTES + 700, last],
  ])('in %s of a journal frame costs nothing', (_, byte, frame) => {
    const { path, rows } = killed(4)
    flip(`${path}-wal`, frameAt(frame(`${path}-wal`)) + byte)
    expectDamage(path)
    expect(rebuilt(path).rows).toEqual(rows)
  })

  test('is the most that is repaired: an overwritten page counts as unreadable', () => {
    const { path } = made()
    change(path, (bytes) => bytes.fill(0, pageAt(20) + 512, pageAt(20) + 1024))
    expect(rebuilt(path).found).toMatchObject({ unreadable_pages: 1, incomplete: ['notes'] })
  })
})

const inserted = (bytes: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.alloc(count, 0x5a), bytes.subarray(at)])

const removed = (bytes: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)])

describe('pages that have moved', () => {
  test.each([
    ['one byte inserted in the middle', (bytes: Buffer) => inserted(bytes, pageAt(40) + 1000, 1)],
    ['a whole page and more inserted in the middle', (bytes: Buffer) => inserted(bytes, pageAt(40) + 1000, 5000)],
    ['many pages inserted in the middle', (bytes: Buffer) => inserted(bytes, pageAt(40) + 1000, 100_000)],
    ['many pages inserted in the first page', (bytes: Buffer) => inserted(bytes, 2000, 100_000)],
    ['a page of zeros inserted between two pages', (bytes: Buffer) => inserted(bytes, pageAt(40), PAGE_BYTES)],
    ['bytes inserted in the first page', (bytes: Buffer) => inserted(bytes, 2000, 100)],
    ['more than a page inserted in the first page', (bytes: Buffer) => inserted(bytes, 2000, 6000)],
    ['bytes inserted before the last page', (bytes: Buffer) => inserted(bytes, bytes.length - PAGE_BYTES, 3)],
    [
      'bytes inserted at three places',
      (bytes: Buffer) => inserted(inserted(inserted(bytes, pageAt(70), 5), pageAt(50) + 700, 1300), pageAt(20) + 9, 90),
    ],
    [
      'bytes inserted, and as many removed further on',
      (bytes: Buffer) => inserted(removed(bytes, pageAt(70), PAGE_BYTES), pageAt(30) + 50, PAGE_BYTES),
      1,
    ],
  ])('are found: %s', (_, damage, unreadable = 0) => {
    const { path, rows } = made()
    change(path, damage)
    expectDamage(path)
    const { rows: found, found: read } = rebuilt(path)
    expect(read.unreadable_pages).toBe(unreadable)
    if (unreadable === 0) expect(found).toEqual(rows)
  })

  test.each([1, 100, PAGE_BYTES, 10_000])('are found before %i removed bytes', (count) => {
    const { path, rows } = made()
    change(path, (bytes) => removed(bytes, pageAt(40) + 1000, count))
    expectDamage(path)
    const { rows: found, found: read } = rebuilt(path)
    const most = Math.ceil(count / PAGE_BYTES) + 1
    expect(read.unreadable_pages).toBeLessThanOrEqual(most)
    expect(read.incomplete).toEqual(['notes'])
    expect(rows.length - found.length).toBeLessThanOrEqual(25 * most)
  })

  test.each([100, PAGE_BYTES, 24_000, 100_000])('are found after the first %i bytes were cut off', (count) => {
    const { path, rows } = made()
    openChecked(path, key).close()
    change(path, (bytes) => removed(bytes, 0, count))
    expectDamage(path)
    const { rows: found, found: read } = rebuilt(path)
    const most = Math.ceil(count / PAGE_BYTES) + 1
    expect(read.unreadable_pages).toBeLessThanOrEqual(most)
    expect(rows.length - found.length).toBeLessThanOrEqual(25 * most)
  })

  test('do not hide that others are damaged', () => {
    const { path } = made()
    change(path, (bytes) => inserted(bytes.fill(0, pageAt(60), pageAt(63)), pageAt(20), 7))
    expect(rebuilt(path).found).toMatchObject({ unreadable_pages: 3, incomplete: ['notes'] })
  })

  test.each([
    ['inserted into a frame', (bytes: Buffer) => inserted(bytes, frameAt(3) + 900, 33)],
    ['inserted between two frames', (bytes: Buffer) => inserted(bytes, frameAt(4), 5000)],
    ['inserted at two places', (bytes: Buffer) => inserted(inserted(bytes, frameAt(9), 10), frameAt(4) + 60, 50)],
  ])('are found in the journal too: bytes %s', (_, damage) => {
    const { path, rows } = killed(8)
    change(`${path}-wal`, damage)
    expectDamage(path)
    expect(rebuilt(path).rows).toEqual(rows)
  })

  test('are found in the journal after bytes that were removed', () => {
    const { path, rows } = killed(8)
    change(`${path}-wal`, (bytes) => removed(bytes, frameAt(4) + 60, 50))
    expectDamage(path)
    expect(rows.length - rebuilt(path).rows.length).toBeLessThanOrEqual(25)
  })

  test('are found after a frame of the journal whose generation is unreadable', () => {
    const { path, rows } = killed(8)
    flip(`${path}-wal`, frameAt(4) + 9)
    expectDamage(path)
    expect(rebuilt(path).rows).toEqual(rows)
  })
})
