import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { UpdateState } from '#contract/bridge/updates.ts'
import { silentLog } from '#base/log.ts'
import { type UpdatePorts, Updates, UpdateError } from '#main/updates/updates.ts'
import { offered, ScriptedSource } from '#test/support/scripted-updates.ts'

const on = { updates_check: true, updates_mirror: null }
const off = { ...on, updates_check: false }

function kit(change: Partial<UpdatePorts> = {}) {
  const log: string[] = []
  const states: UpdateState[] = []
  const planned: { run: () => void; delay: number }[] = []
  const source = new ScriptedSource(log)
  const mirrors: (string | null)[] = []
  const time = { elapsed: 0 }
  const updates = new Updates({
    delivery: 'install',
    openSource: (mirror) => {
      mirrors.push(mirror)
      return Promise.resolve(source)
    },
    onChange: (state) => states.push(state),
    clock: { now: () => 1_800_000_000_000, elapsed: () => time.elapsed },
    log: silentLog,
    later(run, delay) {
      const plan = { run, delay }
      planned.push(plan)
      return () => void (planned.includes(plan) && planned.splice(planned.indexOf(plan), 1))
    },
    allSaved: () => Promise.resolve(true),
    beforeInstall: () => Promise.resolve(void log.push('backup')),
    closeCore: () => Promise.resolve(void log.push('close')),
    endApp: (restart) => void log.push(restart ? 'restart' : 'end'),
    ...change,
  })
  const runNext = (): void => {
    const next = planned.shift()!
    time.elapsed += next.delay
    next.run()
  }
  const toReady = async (): Promise<void> => {
    updates.adoptSettings(off)
    await updates.check()
    updates.download()
    while (updates.state.phase === 'downloading') await sleep(0)
    log.length = 0
  }
  return { updates, log, states, planned, source, mirrors, runNext, toReady }
}

describe('checking', () => {
  test('happens on request alone while the setting is off', async () => {
    const { updates, log, planned } = kit()
    updates.adoptSettings(off)
    expect(planned).toEqual([])
    expect(log).toEqual([])
    expect(await updates.check()).toMatchObject({ phase: 'available', offered, checked_at: '2027-01-15T08:00:00.000Z' })
    expect(planned).toEqual([])
  })

  test('happens at once and then once a day while the setting is on, whatever was found', async () => {
    const { updates, log, planned, runNext } = kit()
    updates.adoptSettings(on)
    expect(planned.map(({ delay }) => delay)).toEqual([0])
    runNext()
    await sleep(0)
    expect(planned.map(({ delay }) => delay)).toEqual([24 * 3600_000])
    updates.download()
    await sleep(0)
    expect(updates.state.phase).toBe('ready')
    runNext()
    await sleep(0)
    expect(planned.map(({ delay }) => delay)).toEqual([24 * 3600_000])
    expect(log).toEqual(['check', 'download'])
  })

  test('stops while the records are locked, and is refused then', async () => {
    const { updates, planned, log } = kit()
    updates.adoptSettings(on)
    updates.adoptSettings(null)
    expect(planned).toEqual([])
    await expect(updates.check()).rejects.toMatchObject({ code: 'vault-locked' })
    expect(log).toEqual([])
  })

  test('is not repeated when the records are unlocked again within the day', async () => {
    const { updates, planned, runNext } = kit()
    updates.adoptSettings(on)
    runNext()
    await sleep(0)
    updates.adoptSettings(null)
    updates.adoptSettings(on)
    expect(planned.map(({ delay }) => delay)).toEqual([24 * 3600_000])
  })

  test.each(['preview', 'development', 'not-set-up'] as const)('is not offered by a copy of the kind "%s"', async (delivery) => {
    const { updates, planned } = kit({ delivery })
    updates.adoptSettings(on)
    expect(planned).toEqual([])
    await expect(updates.check()).rejects.toMatchObject({ code: 'not-offered' })
  })

  test('that fails says why, and can be repeated', async () => {
    const { updates, source } = kit()
    updates.adoptSettings(off)
    source.fails = { check: new UpdateError('feed-unsigned') }
    expect(await updates.check()).toMatchObject({ phase: 'failed', failure: 'feed-unsigned', checked_at: null })
    source.fails = { check: new TypeError('a bug') }
    expect(await updates.check()).toMatchObject({ phase: 'failed', failure: 'feed-unreadable' })
    source.fails = {}
    expect(await updates.check()).toMatchObject({ phase: 'available', failure: null })
  })

  test('at another mirror forgets what the one before offered', async () => {
    const { updates, mirrors } = kit()
    updates.adoptSettings(off)
    await updates.check()
    updates.adoptSettings(null)
    updates.adoptSettings({ ...off, updates_mirror: 'https://mirror.example' })
    expect(updates.state).toMatchObject({ phase: 'idle', offered: null })
    expect(() => updates.download()).toThrow()
    await updates.check()
    expect(mirrors).toEqual([null, 'https://mirror.example'])
  })
})

describe('downloading', () => {
  test('begins only when asked, tells its progress a hundred times at most, and ends ready', async () => {
    const { updates, log, states } = kit()
    updates.adoptSettings(off)
    await updates.check()
    await sleep(0)
    expect(log).toEqual(['check'])
    expect(updates.download()).toMatchObject({ phase: 'downloading', progress: 0 })
    await sleep(0)
    expect(updates.state).toMatchObject({ phase: 'ready', progress: null })
    expect(states.filter(({ phase }) => phase === 'downloading').length).toBeLessThanOrEqual(101)
  })

  test('is not done for a package that a package manager installs', async () => {
    const { updates } = kit({ delivery: 'notify' })
    updates.adoptSettings(off)
    await updates.check()
    expect(() => updates.download()).toThrow(expect.objectContaining({ code: 'conflict' }))
  })

  test('that failed can be begun again without another check', async () => {
    const { updates, source } = kit()
    updates.adoptSettings(off)
    await updates.check()
    source.fails = { download: new UpdateError('download-interrupted') }
    updates.download()
    await sleep(0)
    expect(updates.state).toMatchObject({ phase: 'failed', failure: 'download-interrupted', offered })
    source.fails = {}
    updates.download()
    await sleep(0)
    expect(updates.state.phase).toBe('ready')
  })
})

describe('installing', () => {
  test('makes a backup, verifies, closes the core, installs and restarts, in this order', async () => {
    const { updates, log, toReady } = kit()
    await toReady()
    await updates.install()
    expect(log).toEqual(['backup', 'verify', 'close', 'install', 'restart'])
  })

  test('waits while something records, and is possible when it ended', async () => {
    const { updates, log, toReady } = kit()
    await toReady()
    updates.adoptRecording('01930000-0000-7000-8000-000000000001')
    expect(updates.state).toMatchObject({ phase: 'ready', obstacle: 'recording' })
    expect(await updates.install()).toMatchObject({ phase: 'ready', obstacle: 'recording' })
    expect(log).toEqual([])
    updates.adoptRecording(null)
    expect(updates.state.obstacle).toBeNull()
    await updates.install()
    expect(log).toContain('install')
  })

  test('gives way to a recording that began while the backup was made', async () => {
    const { updates, log, toReady } = kit({
      beforeInstall: () => Promise.resolve(updates.adoptRecording('01930000-0000-7000-8000-000000000001')),
    })
    await toReady()
    expect(await updates.install()).toMatchObject({ phase: 'ready', obstacle: 'recording' })
    expect(log).toEqual(['verify'])
  })

  test('does not begin while something is unsaved', async () => {
    let isSaved = false
    const { updates, log, toReady } = kit({ allSaved: () => Promise.resolve(isSaved) })
    await toReady()
    expect(await updates.install()).toMatchObject({ phase: 'ready', obstacle: 'unsaved' })
    expect(log).toEqual([])
    isSaved = true
    await updates.install()
    expect(log).toContain('install')
  })

  test('does not happen without its backup', async () => {
    const { updates, log, toReady } = kit({ beforeInstall: () => Promise.reject(new Error('no room')) })
    await toReady()
    expect(await updates.install()).toMatchObject({ phase: 'ready', failure: 'backup-failed' })
    expect(log).toEqual([])
  })

  test('does not happen with a damaged download, which has to be downloaded again', async () => {
    const { updates, source, log, toReady } = kit()
    await toReady()
    source.fails = { verify: new UpdateError('download-damaged') }
    expect(await updates.install()).toMatchObject({ phase: 'failed', failure: 'download-damaged', offered })
    expect(log).toEqual(['backup', 'verify'])
    updates.download()
    await sleep(0)
    expect(updates.state.phase).toBe('ready')
  })

  test('that fails after the core was closed starts the old version again', async () => {
    const { updates, source, log, toReady } = kit()
    await toReady()
    source.fails = { install: new UpdateError('install-failed') }
    await updates.install()
    expect(log).toEqual(['backup', 'verify', 'close', 'install', 'restart'])
  })

  test('gives way to a quit that has already begun', async () => {
    const { updates, log, toReady } = kit({ closeCore: () => Promise.reject(new Error('closing')) })
    await toReady()
    expect(await updates.install()).toMatchObject({ phase: 'ready' })
    expect(log).toEqual(['backup', 'verify'])
  })

  test('is refused before there is something to install', async () => {
    await expect(kit().updates.install()).rejects.toMatchObject({ code: 'conflict' })
  })
})
