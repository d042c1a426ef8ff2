import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rename } from '#base/durable-file.ts'

/** A rename that a scanner keeps from happening the first `times`. */
function heldRename(code: string, times: number) {
  const seen = { attempts: 0, waited: [] as number[] }
  const parts = {
    rename: () => {
      seen.attempts += 1
      if (seen.attempts <= times) throw Object.assign(new Error(`${code}: operation not permitted`), { code })
    },
    wait: (ms: number) => void seen.waited.push(ms),
  }
  return { seen, parts }
}

test.each(['EPERM', 'EACCES', 'EBUSY'])(
  'on Windows a rename that fails with %s is repeated, with longer and longer pauses',
  (code) => {
    const { seen, parts } = heldRename(code, 4)
    rename('a.new', 'a', { platform: 'win32', ...parts })
    expect(seen.attempts).toBe(5)
    expect(seen.waited).toEqual(seen.waited.toSorted((left, right) => left - right))
    expect(seen.waited).toHaveLength(4)
  },
)

test('a file that stays held fails after 2 seconds of pauses, as the system said it', () => {
  const { seen, parts } = heldRename('EBUSY', Infinity)
  expect(() => rename('a.new', 'a', { platform: 'win32', ...parts })).toThrow(expect.objectContaining({ code: 'EBUSY' }))
  expect(seen.waited.reduce((sum, ms) => sum + ms)).toBe(2000)
})

test('what another attempt cannot change fails at once, and elsewhere everything does', () => {
  for (const [platform, code] of [
    ['win32', 'ENOENT'],
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
  ] as const) {
    const { seen, parts } = heldRename(code, Infinity)
    expect(() => rename('a.new', 'a', { platform, ...parts })).toThrow(expect.objectContaining({ code }))
    expect([seen.attempts, seen.waited]).toEqual([1, []])
  }
})

test('a file that a scanner lets go of replaces the old one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-rename-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [from, to] = [join(folder, 'a.new'), join(folder, 'a')]
  writeFileSync(from, 'new')
  writeFileSync(to, 'old')
  let isHeld = true
  rename(from, to, {
    platform: 'win32',
    rename: (one, other) => {
      if (!isHeld) return renameSync(one, other)
      isHeld = false
      throw Object.assign(new Error('held'), { code: 'EBUSY' })
    },
  })
  expect([readFileSync(to, 'utf8'), existsSync(from)]).toEqual(['new', false])
})
