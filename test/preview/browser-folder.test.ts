import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyBrowserFolder } from '#preview/open-window.ts'

let profile = ''
let folder = ''

beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'afterword-browser-folder-'))
  folder = join(profile, 'preview-browser')
  mkdirSync(join(folder, 'Default'), { recursive: true })
  writeFileSync(join(folder, 'Default', 'Session_1'), 'words')
  writeFileSync(join(profile, 'vault.json'), '{}')
})

afterEach(() => rmSync(profile, { recursive: true, force: true }))

/** Larger than any process id that Linux or macOS gives. */
const noProcess = 2 ** 30

test('what an earlier browser left is removed, and nothing beside its folder', () => {
  symlinkSync(`${hostname()}-${noProcess}`, join(folder, 'SingletonLock'))
  emptyBrowserFolder(profile)
  expect(existsSync(folder)).toBe(false)
  expect(existsSync(join(profile, 'vault.json'))).toBe(true)
})

test.skipIf(process.platform === 'win32')('the folder of a running browser stays as it is', () => {
  symlinkSync(`${hostname()}-${process.pid}`, join(folder, 'SingletonLock'))
  emptyBrowserFolder(profile)
  expect(existsSync(join(folder, 'Default', 'Session_1'))).toBe(true)
})
