import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { powerEvents } from '#test/support/electron/power.ts'
import { canRunAs } from '#test/support/electron/run-as.ts'
import { startApp } from '#test/support/electron/started-app.ts'
import { partialUses, type Platform, readDeclarations } from './electron-api.ts'

const declared = readDeclarations()

/**
 * Every API in src/main that some platform lacks. `reachedOn`: where the code uses it; a platform that lacks the API may be
 * among them only if `harmless` says why. `elsewhere`: what the other platforms have instead.
 */
const known: Readonly<Record<string, { reachedOn: readonly Platform[]; harmless?: string; elsewhere: string }>> = {
  'BrowserWindow.setContentProtection': {
    reachedOn: ['darwin', 'linux', 'win32'],
    harmless: 'linux has the method, which does nothing',
    elsewhere: 'the setting is not shown',
  },
  'PowerMonitor.lock-screen': { reachedOn: ['darwin', 'win32'], elsewhere: 'linux asks getSystemIdleState every 5 s' },
  'PowerMonitor.shutdown': {
    reachedOn: ['darwin', 'linux'],
    elsewhere: 'win32: query-session-end of the window',
  },
  'SystemPreferences.askForMediaAccess': { reachedOn: ['darwin'], elsewhere: 'no other system asks the person itself' },
  'BrowserWindow.query-session-end': {
    reachedOn: ['darwin', 'linux', 'win32'],
    harmless: 'the event never comes elsewhere',
    elsewhere: 'powerMonitor shutdown',
  },
  'App.setAppUserModelId': { reachedOn: ['win32'], elsewhere: 'the system knows which app notifies' },
  'App.activate': {
    reachedOn: ['darwin', 'linux', 'win32'],
    harmless: 'the event never comes elsewhere',
    elsewhere: 'a second start shows the window',
  },
}

const sources = globSync('src/main/**/*.ts')

describe('the platforms of every API that the shell uses', () => {
  test('an API that a platform lacks is used only where it exists, or is known to be harmless', () => {
    for (const file of sources) {
      for (const { api, platforms } of partialUses(readFileSync(file, 'utf8'), declared)) {
        const use = known[api]
        expect(use, `${basename(file)} uses ${api}, which only ${platforms.join(', ')} has`).toBeDefined()
        const lacking = use!.reachedOn.filter((platform) => !platforms.includes(platform))
        if (use!.harmless === undefined) expect(lacking, `${api} is used where it does not exist`).toEqual([])
      }
    }
  })

  test('no entry of the table is left over', () => {
    const used = new Set(sources.flatMap((file) => partialUses(readFileSync(file, 'utf8'), declared).map(({ api }) => api)))
    expect([...used].toSorted()).toEqual(Object.keys(known).toSorted())
  })

  test('a planted use is found', () => {
    const planted = `
      powerMonitor.on('lock-screen', lock)
      app.dock?.hide()
      window.on('session-end', finish)
      systemPreferences.getMediaAccessStatus('microphone')
      // app.on('open-url', comment)
    `
    expect(partialUses(planted, declared).map(({ api }) => api)).toEqual(
      expect.arrayContaining([
        'PowerMonitor.lock-screen',
        'App.dock',
        'BrowserWindow.session-end',
        'SystemPreferences.getMediaAccessStatus',
      ]),
    )
    expect(partialUses(planted, declared).map(({ api }) => api)).not.toContain('App.open-url')
  })

  test('the stand-in’s power events have the platforms of the declarations', () => {
    for (const [event, platforms] of Object.entries(powerEvents)) {
      expect(declared.get(`PowerMonitor.${event}`)?.toSorted(), event).toEqual(platforms.toSorted())
    }
  })
})

describe('the built app', () => {
  beforeAll(build)

  test.each((['darwin', 'linux', 'win32'] as const).filter(canRunAs))(
    '%s: registers no listener that the platform never calls',
    async (platform) => {
      const app = startApp({ platform })
      try {
        await app.until('window', (what) => what === 'shown')
        const made = await app.ask('registrations')
        for (const name of made.filter((registration) => registration.startsWith('powerMonitor.on:'))) {
          const event = name.slice('powerMonitor.on:'.length)
          expect(declared.get(`PowerMonitor.${event}`), name).toContain(platform)
        }
      } finally {
        await app.remove()
      }
    },
  )
})
