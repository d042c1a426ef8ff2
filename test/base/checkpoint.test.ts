import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkpointOften, openEncrypted } from '#base/sqlite.ts'

const key = Buffer.alloc(32, 0x5a)

test('what the journal alone holds is in the database a minute later, and the journal is empty', () => {
  vi.useFakeTimers()
  const folder = mkdtempSync(join(tmpdir(), 'afterword-checkpoint-'))
  const path = join(folder, 'records.db')
  const copied = join(folder, 'copy.db')
  const database = openEncrypted(path, key)
  onTestFinished(() => {
    vi.useRealTimers()
    database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  database.exec('create table said (words text) strict')
  checkpointOften(database)
  const add = database.prepare('insert into said (words) values (?)')
  add.run('first')
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  vi.advanceTimersByTime(60_000)
  expect(statSync(`${path}-wal`).size).toBe(0)
  // A change under way is waited for.
  add.run('second')
  database.exec('begin')
  add.run('third')
  vi.advanceTimersByTime(60_000)
  database.exec('commit')
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  vi.advanceTimersByTime(1000)
  expect(statSync(`${path}-wal`).size).toBe(0)
  copyFileSync(path, copied)
  const copy = openEncrypted(copied, key)
  const words = copy.prepare('select words from said').pluck().all()
  copy.close()
  expect(words).toEqual(['first', 'second', 'third'])
})
