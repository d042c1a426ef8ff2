/** The packaged app updates itself from a server on loopback: the built files, a real core, electron-updater's own classes. */
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { startApp, type StartedApp } from '#test/support/electron/started-app.ts'
import { repository } from '#test/support/machine.ts'
import { type UpdateServer, updateServer } from '#test/support/update-server.ts'
import { createVault, expectOk, Ledger, passphrase } from './ledger.ts'

const bytes = randomBytes(500_000)
let server: UpdateServer
let folder = ''
let image = ''
let app: StartedApp

beforeAll(build)
beforeEach(async () => {
  server = await updateServer()
  folder = mkdtempSync(join(tmpdir(), 'afterword-packaged-'))
  image = join(folder, 'Afterword.AppImage')
  writeFileSync(image, 'the version that is installed')
  chmodSync(image, 0o755)
  const packaged = join(folder, 'app')
  mkdirSync(packaged)
  for (const name of ['out', 'resources', 'package.json'])
    cpSync(join(repository, name), join(packaged, name), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(packaged, 'node_modules'))
  writeFileSync(join(packaged, 'resources', 'update-keys.pem'), server.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(
    join(packaged, 'app-update.yml'),
    `provider: generic\nurl: ${server.address}\nupdaterCacheDirName: afterword-updater\n`,
  )
  app = startApp({
    appPath: packaged,
    isPackaged: true,
    environment: { APPIMAGE: image, XDG_CACHE_HOME: join(folder, 'cache') },
  })
})
afterEach(async () => {
  await app.remove()
  await server.close()
  rmSync(folder, { recursive: true })
})

const download = async (): Promise<void> => {
  expect(await expectOk(app, 'updates.check', {})).toMatchObject({ phase: 'available', offered: { version: '9.0.0' } })
  await expectOk(app, 'updates.download', {})
  await app.event('updates.changed', ({ phase }) => phase === 'ready')
}
const isOld = (): boolean => readFileSync(image, 'utf8') === 'the version that is installed'

test.runIf(process.platform === 'linux')(
  'a newer version is found, downloaded, put in the place of the old one, and the app starts again with its records',
  async () => {
    server.publish({ version: '9.0.0', bytes })
    await createVault(app)
    await expectOk(app, 'clients.create', { display_name: 'Maren Voss' })
    expect(server.requests).toEqual([])
    await download()
    expect(isOld()).toBe(true)
    const closing = app.event('app.closing')
    void app.call('updates.install', {}).catch(() => {})
    await closing
    await app.call('app.handedOver', {}).catch(() => {})
    expect(await app.ended).toEqual({ code: 0, signal: null })
    expect(app.journal.filter(({ what }) => what === 'message-box')).toEqual([])
    expect(app.journal).toContainEqual({ what: 'app', detail: 'relaunch' })
    expect(readFileSync(image).equals(bytes)).toBe(true)

    const again = startApp({ profile: app.profile })
    try {
      await again.until('page')
      await expectOk(again, 'vault.unlock', { passphrase })
      expect(await expectOk(again, 'clients.list', {})).toMatchObject([{ client: { display_name: 'Maren Voss' } }])
    } finally {
      await again.kill()
    }
  },
)

test.runIf(process.platform === 'linux')('nothing is installed while a recording runs or is paused', async () => {
  server.publish({ version: '9.0.0', bytes })
  const ledger = await Ledger.start(app)
  await ledger.appendMany(3)
  await download()
  expect(await expectOk(app, 'updates.install', {})).toMatchObject({ phase: 'ready', obstacle: 'recording' })
  await ledger.appendMany(3)
  await ledger.finish()
  expect(await expectOk(app, 'updates.state', {})).toMatchObject({ phase: 'ready', obstacle: null })
  expect(isOld()).toBe(true)
  expect(await app.ask('windowCount')).toBe(1)
})

test('a check happens by itself only when it is switched on', async () => {
  server.publish({ version: '9.0.0', bytes })
  await createVault(app)
  expect(await expectOk(app, 'updates.state', {})).toMatchObject({ phase: 'idle', checked_at: null })
  expect(server.requests).toEqual([])
  await expectOk(app, 'settings.update', { updates_check: true })
  await app.event('updates.changed', ({ phase }) => phase === 'available')
  expect(server.requests.map(({ path }) => path).filter((path) => !path.startsWith('/latest'))).toEqual([])
})
