import { afterEach, beforeAll, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { startApp, type StartedApp } from '#test/support/electron/started-app.ts'

let app: StartedApp

beforeAll(build)
afterEach(() => app.remove())

test('the app opens its window: nothing before `ready` waits for `ready`', async () => {
  app = startApp()
  await app.until('window', (what) => what === 'shown')
  expect(await app.ask('window')).toMatchObject({ count: 1, url: 'app://afterword/', title: 'Afterword', isVisible: true })
  expect(await app.call('app.state', {})).toMatchObject({ ok: true, value: { phase: 'first_run', shell: 'electron' } })
})
