import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AppState } from '#contract/bridge/app.ts'
import { silentLog } from '#base/log.ts'
import { type ServedUpdates, serveUpdates } from '#main/updates/serve-updates.ts'
import type { CoreHost } from '#shell/core-host.ts'
import { demoSettings } from '#test/support/demo-records.ts'
import { ScriptedSource } from '#test/support/scripted-updates.ts'

const app: AppState = {
  phase: 'ready',
  trouble: null,
  protection: 'passphrase',
  keychain_available: false,
  keys_may_be_older: false,
  unopened_files: [],
  shell: 'electron',
  app_version: '1.0.0',
  platform: 'linux',
  system_locale: 'en-US',
  data_folder: '/data/Afterword',
  recording_id: null,
}

/** None of these calls is the core's. */
const unforwarded = (): never => {
  throw new Error('the core was asked')
}

function served(phase: AppState['phase'] = 'ready', fails: () => boolean = () => false) {
  const log: string[] = []
  const events: string[] = []
  const answers = new Map<string, unknown>([
    ['app.state', { ...app, phase }],
    ['settings.get', demoSettings],
  ])
  let release = (): void => {}
  const host = {
    call: (name: string) =>
      fails()
        ? Promise.reject(new Error('the thread ended'))
        : name === 'notes.update'
          ? new Promise((done) => (release = () => done({ ok: true, value: {} })))
          : Promise.resolve({ ok: true, value: answers.get(name) }),
  } as unknown as CoreHost
  const updates: ServedUpdates = serveUpdates({
    emit: (name) => void events.push(name),
    log: silentLog,
    delivery: 'install',
    openSource: () => Promise.resolve(new ScriptedSource(log)),
    beforeInstall: null,
    closeCore: () => Promise.resolve(void log.push('close')),
    endApp: () => void log.push('end'),
  })
  const counted = updates.follow(host)
  return {
    updates,
    log,
    events,
    counted,
    call: (name: string, input: unknown = {}) => updates.calls[name]!(input, unforwarded),
    release: () => release(),
  }
}

test('learns from the core whether a check is wanted, and says every change', async () => {
  const { updates, log, events } = served()
  await sleep(0)
  expect(log).toEqual([])
  updates.hear('settings.changed', { ...demoSettings, updates_check: true })
  await sleep(20)
  expect(log).toEqual(['check'])
  expect(new Set(events)).toEqual(new Set(['updates.changed']))
})

test('refuses to check after a lock, and checks again after the unlock', async () => {
  const { updates, call } = served()
  await call('updates.check')
  updates.hear('app.changed', { ...app, phase: 'locked' })
  expect(await call('updates.check')).toEqual({ ok: false, error: { code: 'vault-locked' } })
  updates.hear('app.changed', app)
  expect(await call('updates.check')).toMatchObject({ ok: true, value: { phase: 'available' } })
})

test('refuses to check under the lock, and answers what state it is in', async () => {
  const { call } = served('locked')
  await sleep(0)
  expect(await call('updates.check')).toEqual({ ok: false, error: { code: 'vault-locked' } })
  expect(await call('updates.state')).toMatchObject({ ok: true, value: { phase: 'idle', delivery: 'install' } })
  expect(await call('updates.install')).toEqual({ ok: false, error: { code: 'conflict' } })
  expect(await call('updates.state', 'no object')).toMatchObject({ ok: false, error: { code: 'validation-failed' } })
})

test('installs when the last call of the window has been answered', async () => {
  const { call, counted, log, release } = served()
  await sleep(0)
  await call('updates.check')
  await call('updates.download')
  await sleep(0)
  const saving = counted.call('notes.update', {})
  const installing = call('updates.install')
  await sleep(20)
  expect(log).not.toContain('close')
  release()
  await saving
  await installing
  expect(log.slice(-3)).toEqual(['close', 'install', 'end'])
})

test('survives a core that ends under its question, and learns from the next one', async () => {
  let isGone = true
  const { updates, call } = served('ready', () => isGone)
  expect(await call('updates.check')).toEqual({ ok: false, error: { code: 'vault-locked' } })
  isGone = false
  updates.hear('app.changed', app)
  expect(await call('updates.check')).toMatchObject({ ok: true, value: { phase: 'available' } })
})
