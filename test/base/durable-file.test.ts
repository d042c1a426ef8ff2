import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { diskFailure } from '#base/durable-file.ts'
import { replaceFile } from '#base/durable-file.ts'
import { noSmallDisk, smallDisk } from '#test/support/full-disk.ts'
import { leftOut } from '#test/support/left-out.ts'

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-durable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the file is replaced as a whole, for its owner alone', () => {
  const path = join(temporary(), 'state')
  replaceFile(path, 'a long first version')
  replaceFile(path, 'short')
  expect(readFileSync(path, 'utf8')).toBe('short')
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a replacement that fails leaves nothing half-written behind', () => {
  const folder = temporary()
  mkdirSync(join(folder, 'state', 'inside'), { recursive: true })
  expect(() => replaceFile(join(folder, 'state'), 'new')).toThrow()
  expect(readdirSync(folder)).toEqual(['state'])
})

test.skipIf(leftOut('files on a full disk', noSmallDisk()))('on a full disk the old file stays whole', () => {
  const disk = smallDisk(64)
  onTestFinished(() => disk.remove())
  const path = join(disk.folder, 'state')
  replaceFile(path, 'the old state')
  disk.fill(0)
  let failure: unknown
  try {
    replaceFile(path, Buffer.alloc(20_000))
  } catch (error) {
    failure = diskFailure(error)?.code
  }
  expect(failure).toBe('disk-full')
  expect(readFileSync(path, 'utf8')).toBe('the old state')
  expect(readdirSync(disk.folder)).not.toContain('state.new')
})
