import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Keychain } from '#base/keychain.ts'
import { silentLog } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { storeKey } from '#service/operate/place.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { freshFolder } from '../alone-kit.ts'
import { expectMode } from '#test/support/file-mode.ts'

let folder: ReturnType<typeof freshFolder>
beforeEach(() => {
  folder = freshFolder()
  mkdirSync(folder.data)
})
afterEach(() => folder.remove())

const none: Keychain = { ...memoryKeychain(), available: async () => false }
const ask = (keychain: Keychain, more: Partial<Parameters<typeof storeKey>[0]> = {}) =>
  storeKey({ data: folder.data, key_file: undefined, key_store: 'auto', isThere: false, keychain, log: silentLog, ...more })

test('a new store’s key goes into the keychain, is found there again, and stands in no file', async () => {
  const keychain = memoryKeychain()
  const key = await ask(keychain)
  expect(await ask(keychain, { isThere: true })).toEqual(key)
  expect(existsSync(`${folder.data}.key`)).toBe(false)
  expect(readFileSync(join(folder.data, 'store-key.json'), 'utf8')).not.toContain(key.toString('hex'))
})

test('a keychain that has lost it, or does not answer, is no reason for another key', async () => {
  const keychain = memoryKeychain()
  await ask(keychain)
  await expect(ask(memoryKeychain(), { isThere: true })).rejects.toThrow('no longer there')
  const locked: Keychain = { ...keychain, get: () => Promise.reject(new AppError('keychain-locked')) }
  await expect(ask(locked, { isThere: true })).rejects.toThrow('does not answer')
  rmSync(join(folder.data, 'store-key.json'))
  await expect(ask(keychain, { isThere: true })).rejects.toThrow('cannot be opened')
})

test('without a keychain it goes into a file beside the data, for its owner alone; with one demanded, nowhere', async () => {
  await expect(ask(none, { key_store: 'keychain' })).rejects.toThrow('no keychain')
  const key = await ask(none)
  expect(readFileSync(`${folder.data}.key`, 'utf8').trim()).toBe(key.toString('hex'))
  expectMode(`${folder.data}.key`, 0o600)
  // Where it once went it stays, whatever a keychain could do by now.
  expect(await ask(memoryKeychain(), { isThere: true })).toEqual(key)
})
