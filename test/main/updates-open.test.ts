import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventName } from '#contract/bridge/events.ts'
import type { UpdateState } from '#contract/bridge/updates.ts'
import { silentLog } from '#base/log.ts'
import { openUpdates } from '#main/updates/open-updates.ts'
import type { CoreHost } from '#shell/core-host.ts'
import { app } from '#test/support/electron/app.ts'
import { demoSettings } from '#test/support/demo-records.ts'
import { type UpdateServer, updateServer } from '#test/support/update-server.ts'

app.standIn.finishLaunching()

let server: UpdateServer
let folder = ''
let ends: unknown[]
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
const inFolder = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content)

/** As packaged for Linux, with a feed and a release key. */
beforeEach(async () => {
  server = await updateServer()
  folder = mkdtempSync(join(tmpdir(), 'afterword-open-updates-'))
  ends = []
  Object.assign(process, { resourcesPath: folder })
  Object.assign(app, {
    isPackaged: true,
    getVersion: () => '1.0.0',
    getName: () => 'Afterword',
    getPath: () => folder,
    relaunch: (options: unknown) => void ends.push(options),
    exit(code: number) {
      ends.push(code)
      app.emit('gone')
    },
  })
  process.env['XDG_CACHE_HOME'] = join(folder, 'cache')
  process.env['APPIMAGE'] = join(folder, 'Afterword.AppImage')
  inFolder('Afterword.AppImage', 'the version that is installed')
  inFolder('update-keys.pem', `${pem(generateKeyPairSync('ed25519').publicKey)}\n${pem(server.publicKey)}`)
  inFolder('app-update.yml', `provider: generic\nurl: ${server.address}\nupdaterCacheDirName: afterword-updater\n`)
})
afterEach(async () => {
  delete process.env['APPIMAGE']
  delete process.env['XDG_CACHE_HOME']
  await server.close()
  rmSync(folder, { recursive: true })
})

/** None of these calls is the core's. */
const unforwarded = (): never => {
  throw new Error('the core was asked')
}

function open(log: string[] = []) {
  const events: [EventName, unknown][] = []
  const updates = openUpdates({
    resources: folder,
    emit: (name, payload) => events.push([name, payload]),
    log: silentLog,
    closeCore: () =>
      Promise.resolve(void log.push(`closed, ${existsSync(join(folder, 'Afterword.AppImage')) ? 'old app there' : ''}`)),
    beforeInstall: () => Promise.resolve(void log.push('backup')),
  })
  const appState = {
    phase: 'ready',
    trouble: null,
    protection: 'passphrase',
    keychain_available: false,
    keys_may_be_older: false,
    system_locale: 'en-US',
    unopened_files: [],
    data_folder: '/data/Afterword',
    shell: 'electron',
    app_version: '1.0.0',
    platform: process.platform,
    recording_id: null,
  }
  updates.follow({
    call: (name: string) => Promise.resolve({ ok: true, value: name === 'app.state' ? appState : demoSettings }),
  } as unknown as CoreHost)
  const call = async (name: string): Promise<UpdateState> => {
    const answer = await updates.calls[name]!({}, unforwarded)
    if (!answer.ok) throw new Error(answer.error.code)
    return answer.value as UpdateState
  }
  return { call, events }
}

const isLinux = process.platform === 'linux'

describe('the copy of the app', () => {
  test('that was not packaged is updated with its source', async () => {
    Object.assign(app, { isPackaged: false })
    const { call } = open()
    expect(await call('updates.state')).toMatchObject({ delivery: 'development' })
    await expect(call('updates.check')).rejects.toThrow('not-offered')
    expect(server.requests).toEqual([])
  })

  test.each(['update-keys.pem', 'app-update.yml'])('that was packaged without %s accepts no update', async (name) => {
    rmSync(join(folder, name))
    const { call } = open()
    expect(await call('updates.state')).toMatchObject({ delivery: 'not-set-up' })
    await expect(call('updates.check')).rejects.toThrow('not-offered')
  })

  test.runIf(isLinux).each(['deb', 'rpm'])('that came as a %s is told where the next one is', async (type) => {
    delete process.env['APPIMAGE']
    inFolder('package-type', `${type}\n`)
    server.publish({ version: '1.1.0', bytes: randomBytes(10), files: ['a-1.1.0.AppImage', 'a-1.1.0.deb', 'a-1.1.0.rpm'] })
    const { call } = open()
    expect(await call('updates.check')).toMatchObject({
      delivery: 'notify',
      phase: 'available',
      offered: { address: `${server.address}/a-1.1.0.${type}` },
    })
    await expect(call('updates.download')).rejects.toThrow('conflict')
  })
})

test.runIf(isLinux)(
  'an AppImage is replaced by the version that was downloaded, and started again from its own file',
  async () => {
    const bytes = randomBytes(200_000)
    server.publish({ version: '1.1.0', bytes })
    const log: string[] = []
    const { call, events } = open(log)
    expect(await call('updates.check')).toMatchObject({ phase: 'available', delivery: 'install' })
    await call('updates.download')
    while ((await call('updates.state')).phase === 'downloading') await new Promise((done) => setTimeout(done, 5))
    expect(await call('updates.state')).toMatchObject({ phase: 'ready' })
    const gone = once(app as never, 'gone')
    void call('updates.install')
    await gone
    expect(log).toEqual(['backup', 'closed, old app there'])
    expect(ends).toEqual([{ execPath: join(folder, 'Afterword.AppImage'), args: process.argv.slice(1) }, 0])
    expect(readFileSync(join(folder, 'Afterword.AppImage')).equals(bytes)).toBe(true)
    expect(events.map(([, state]) => (state as UpdateState).phase)).toContain('installing')
  },
)

test('what the release tool signs is accepted, and without a key it signs nothing', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const feeds = join(folder, 'dist')
  mkdirSync(feeds)
  server.publish({ version: '1.1.0', bytes: randomBytes(10) })
  const names = ['latest.yml', 'latest-linux.yml', 'latest-linux-arm64.yml', 'latest-mac.yml']
  for (const name of names) writeFileSync(join(feeds, name), server.feed())
  const run = (env: Record<string, string>) =>
    execFileSync(process.execPath, ['tools/sign-feed.mjs', feeds], { env: { ...process.env, ...env }, stdio: 'pipe' })
  expect(() => run({})).toThrow()
  run({ AFTERWORD_RELEASE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string })
  for (const name of names) server.replace(`/${name}.sig`, readFileSync(join(feeds, `${name}.sig`)))
  await expect(open().call('updates.check')).resolves.toMatchObject({ failure: 'feed-unsigned' })
  inFolder('update-keys.pem', pem(publicKey))
  await expect(open().call('updates.check')).resolves.toMatchObject({ phase: 'available' })
})
