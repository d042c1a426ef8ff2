/** `--self-test` of the built app. The page is played by the test; test/e2e has the real one. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { startApp, type StartedApp } from '#test/support/electron/started-app.ts'
import { Ledger } from './ledger.ts'

let folder: string
let app: StartedApp

beforeAll(build)
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'afterword-self-test-test-'))))
afterEach(async () => {
  await app.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Packaged, with a folder for temporary files and a profile of its own to look into. */
function start(...args: string[]): void {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  app = startApp({
    isPackaged: true,
    args,
    profile: join(folder, 'profile'),
    environment: { TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  })
}

/** What the window does when it is asked, up to the sound. */
async function recordAsAsked(peak?: number): Promise<Ledger> {
  await app.until('page')
  await app.call('app.state', {})
  const { session_id, record_ms } = await app.event('app.selfTest')
  const ledger = await Ledger.record(app, session_id)
  await ledger.appendMany(record_ms / 200, peak)
  await ledger.finish()
  return ledger
}

const left = (): string[] => readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('afterword-self-test-'))

test('makes records in a temporary folder, records, reads, locks, quits with 0 and leaves nothing behind', async () => {
  start('--self-test')
  await recordAsAsked()
  expect(left()).toHaveLength(1)
  await app.call('app.selfTested', { failed: null })
  await app.event('app.closing')
  await app.call('app.handedOver', {})
  expect(await app.ended).toEqual({ code: 0, signal: null })
  expect(app.output()).not.toContain('self-test')
  expect(left()).toEqual([])
  expect(existsSync(join(folder, 'profile'))).toBe(false)
})

test('prints the step that the window could not do, and exits with 1', async () => {
  start('--self-test')
  await recordAsAsked()
  await app.call('app.selfTested', { failed: 'play (media error 4)' }).catch(() => {})
  expect(await app.ended).toEqual({ code: 1, signal: null })
  expect(app.output()).toContain('self-test: failed at play (media error 4)\n')
  expect(left()).toEqual([])
})

test('does not pass with a recording that is silent', async () => {
  start('--self-test')
  await recordAsAsked(0)
  await app.call('app.selfTested', { failed: null }).catch(() => {})
  expect(await app.ended).toEqual({ code: 1, signal: null })
  expect(app.output()).toContain('self-test: failed at keep the recording (silence)\n')
})

test('is no way to a fake microphone for an app that shows somebody’s records', async () => {
  start('--self-test', '--use-fake-device-for-media-stream')
  expect(await app.ended).toEqual({ code: 1, signal: null })
  expect(left()).toEqual([])
})

test('an app without the switch tests nothing', async () => {
  start()
  await app.until('window', (what) => what === 'shown')
  expect(left()).toEqual([])
  expect(existsSync(join(folder, 'profile'))).toBe(true)
})
