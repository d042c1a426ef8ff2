import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import { app, exposed, powerMonitor, seen } from '#test/support/electron-stand-in.ts'

let folder = ''
let bridge: Bridge

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-main-'))
  process.env['AFTERWORD_PROFILE'] = folder
  await import('../../src/main/index.ts')
  await import('../../src/preload/index.ts')
  bridge = exposed['afterword'] as Bridge
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the shell opens the core and one window, and the window reaches the core', async () => {
  expect(seen.windows.map(({ url }) => url)).toEqual(['app://afterword/'])
  expect(seen.paths.get('userData')).toBe(join(folder, 'window'))
  const state = await bridge.call('app.state', {})
  expect(state).toMatchObject({ ok: true, value: { phase: 'first_run', shell: 'electron' } })
})

test('the records lock with the screen', async () => {
  const input = {
    protection: 'passphrase',
    passphrase: 'a long enough passphrase',
    therapist_name: 'Robin',
    therapist_credential: null,
  } as const
  expect(await bridge.call('vault.create', input)).toMatchObject({ ok: true })
  const locked = new Promise((done) =>
    bridge.on((name, payload) => (payload as { phase?: string }).phase === 'locked' && done(name)),
  )
  powerMonitor.emit('lock-screen')
  expect(await locked).toBe('app.changed')
})

test('quitting waits until the core has closed its files', async () => {
  const gone = once(app, 'quit')
  app.quit()
  await gone
})
