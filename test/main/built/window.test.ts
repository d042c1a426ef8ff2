/** What the window may do, beside the bridge: nothing leaves the laptop through it, and nothing gets in. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { build } from '#test/support/built-app.ts'
import { canRunAs } from '#test/support/electron/run-as.ts'
import { startApp, type StartedApp, type StartOptions } from '#test/support/electron/started-app.ts'
import { startOidcProvider } from '#test/support/oidc-provider.ts'
import { addSession, createVault, expectOk, Ledger } from './ledger.ts'

const app = (): StartedApp => started!
let started: StartedApp | undefined

beforeAll(build)
afterEach(() => started?.remove())

async function start(options: StartOptions = {}): Promise<StartedApp> {
  started = startApp(options)
  await started.until('window', (what) => what === 'shown')
  return started
}
const details = (what: string): unknown[] =>
  app()
    .journal.filter((entry) => entry.what === what)
    .map(({ detail }) => detail)

describe('the page', () => {
  test('is sandboxed and isolated, without Node, webviews and spell checking', async () => {
    await start()
    const { options } = await app().ask('window')
    expect(options['webPreferences']).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    })
    expect(options['webPreferences']).not.toHaveProperty('webSecurity')
    expect(options['webPreferences']).not.toHaveProperty('allowRunningInsecureContent')
    expect(options['webPreferences']).not.toHaveProperty('experimentalFeatures')
    expect(options['webPreferences']).not.toHaveProperty('enableBlinkFeatures')
  })

  test.runIf(process.platform === 'linux')('has its process kept from writing core files before it has records', async () => {
    await start()
    await app().until('page-process', (what) => what === 'asked')
  })

  test('is sandboxed by force, in every window', async () => {
    await start()
    expect(await app().ask('isSandboxForced')).toBe(true)
  })

  test('has a standard, secure origin with fetch, streams and a code cache, and no further privilege', async () => {
    await start()
    const all = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true }
    expect(await app().ask('privileges')).toEqual(all)
  })

  test('records at full pace while the window is hidden', async () => {
    await start()
    expect((await app().ask('window')).options['webPreferences']).toMatchObject({ backgroundThrottling: false })
  })

  test('gets the bridge from the preload', async () => {
    await start()
    expect(await app().ask('world')).toEqual({ afterword: ['call', 'on', 'onConnection'] })
  })

  test('cannot change the title, which never contains a name', async () => {
    await start()
    await app().ask('setPageTitle', 'Maren Voss')
    expect(await app().ask('window')).toMatchObject({ title: 'Afterword' })
  })

  test('cannot attach a webview', async () => {
    await start()
    expect(await app().ask('attachWebview')).toBe(false)
  })

  test.each([false, true])('cannot navigate away (redirect: %s)', async (isRedirect) => {
    await start()
    const elsewhere = ['https://elsewhere.example/', 'file:///etc/passwd', 'app://afterword.example/', 'app://elsewhere/']
    for (const url of [...elsewhere, 'app://afterword/media/recordings/1', 'app://afterword/exports/1']) {
      expect(await app().ask('navigateFromPage', url, isRedirect), url).toBe(false)
    }
    expect(await app().ask('navigateFromPage', 'app://afterword/#/today', isRedirect)).toBe(true)
  })

  test('may download exports only', async () => {
    await start()
    expect(await app().ask('download', 'app://afterword/exports/1')).toBe(true)
    for (const url of [
      'app://afterword/media/recordings/1',
      'app://afterword/',
      'blob:app://afterword/1',
      'https://x.example/',
    ]) {
      expect(await app().ask('download', url), url).toBe(false)
    }
  })
})

describe('permissions', () => {
  test('the microphone opens for a recording with consent, and for nothing else', async () => {
    await start()
    await createVault(app())
    expect(await app().ask('getUserMedia', ['audio'])).toBe('refused')
    const session_id = await addSession(app())
    const other = await expectOk(app(), 'clients.create', { display_name: 'Without Consent' })
    const silent = await expectOk(app(), 'sessions.create', {
      client_id: other.id,
      session_type: 'individual',
      starts_at: '2026-11-25T14:00:00Z',
      duration_minutes: 50,
    })
    expect(await app().call('app.openMicrophone', { purpose: 'recording', session_id: silent.id })).toMatchObject({ ok: false })
    expect(await app().ask('getUserMedia', ['audio'])).toBe('refused')
    await expectOk(app(), 'app.openMicrophone', { purpose: 'recording', session_id })
    expect(await app().ask('getUserMedia', ['audio'])).toBe('sound')
    expect(await app().ask('getUserMedia', ['audio', 'video'])).toBe('refused')
    expect(await app().ask('getUserMedia', ['video'])).toBe('refused')
    expect(await app().ask('getUserMedia', ['audio'], 'https://elsewhere.example/')).toBe('refused')
    expect(await app().ask('getUserMedia', ['audio'], 'app://afterword/', false)).toBe('refused')
  })

  test('the microphone may be opened again while a recording runs', async () => {
    await start()
    const ledger = await Ledger.start(app())
    await ledger.appendMany(1)
    expect(await app().ask('getUserMedia', ['audio'])).toBe('sound')
  })

  test('nothing else is granted', async () => {
    await start()
    expect(await app().ask('askPermission', 'clipboard-sanitized-write')).toBe(true)
    const others = ['notifications', 'geolocation', 'clipboard-read', 'hid', 'usb', 'midi', 'openExternal', 'fullscreen']
    for (const permission of others) expect(await app().ask('askPermission', permission), permission).toBe(false)
  })

  test('checks answer the same', async () => {
    await start()
    expect(await app().ask('checkPermission', 'media', 'app://afterword/', { mediaType: 'audio' })).toBe(true)
    expect(await app().ask('checkPermission', 'media', 'app://afterword/', { mediaType: 'video' })).toBe(false)
    expect(await app().ask('checkPermission', 'media', 'https://elsewhere.example/', { mediaType: 'audio' })).toBe(false)
    expect(await app().ask('checkPermission', 'geolocation', 'app://afterword/')).toBe(false)
  })

  test.runIf(canRunAs('darwin'))(
    'macOS: the system’s question comes first, because macOS records silence without it',
    async () => {
      await start({ platform: 'darwin', microphone: { status: 'not-determined', answer: true } })
      await createVault(app())
      await expectOk(app(), 'app.openMicrophone', { purpose: 'room-check' })
      expect(await app().ask('getUserMedia', ['audio'])).toBe('sound')
      expect(details('asked-for-microphone')).toEqual(['not-determined'])
    },
  )

  test.runIf(canRunAs('darwin'))('macOS: a refused microphone is reported and stays closed', async () => {
    await start({ platform: 'darwin', microphone: { status: 'not-determined', answer: false } })
    await createVault(app())
    expect(await app().call('app.openMicrophone', { purpose: 'room-check' })).toEqual({
      ok: false,
      error: { code: 'microphone-denied' },
    })
    expect(await app().ask('getUserMedia', ['audio'])).toBe('refused')
  })
})

describe('the network', () => {
  const elsewhere = ['https://elsewhere.example/', 'http://127.0.0.1:80/', 'wss://elsewhere.example/', 'http://[::1]/']

  test('every request of the window to any host is cancelled', async () => {
    await start()
    for (const url of elsewhere) {
      expect(await app().ask('request', { url }), url).toMatchObject({ error: 'ERR_BLOCKED_BY_CLIENT' })
    }
    expect(details('network')).toEqual([])
  })

  test('without that filter, no host name resolves', async () => {
    await start({ drop: ['session.webRequest.onBeforeRequest'] })
    for (const url of elsewhere) {
      expect(await app().ask('request', { url }), url).toMatchObject({ error: 'ERR_NAME_NOT_RESOLVED' })
    }
    expect(details('network')).toEqual([])
  })

  test('no proxy of the system is used', async () => {
    await start({ systemProxy: 'proxy.example:8080' })
    expect(await app().ask('resolveProxy', 'https://elsewhere.example/')).toBe('DIRECT')
  })

  test.each((['linux', 'win32'] as const).filter(canRunAs))('%s: no dictionary is fetched', async (platform) => {
    await start({ platform })
    expect(await app().until('dictionary')).toMatch(/^https:\/\/127\.0\.0\.1:9\//)
    expect(await app().ask('isSpellChecked')).toBe(false)
  })

  test('WebRTC makes no direct connection', async () => {
    await start()
    expect(await app().ask('window')).toMatchObject({ rtcPolicy: 'disable_non_proxied_udp' })
  })

  test('every other session has the same limits', async () => {
    await start()
    expect(await app().ask('otherSession')).toEqual({ mayNotify: false, isRefused: true })
  })
})

describe('links and menus', () => {
  test('a page cannot open a window, or an address that the core did not return', async () => {
    await start()
    for (const url of [
      'https://elsewhere.example/?what=was-said',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'app://afterword/',
    ]) {
      expect(await app().ask('openWindowFromPage', url), url).toBe('deny')
    }
    expect(details('opened-outside')).toEqual([])
  })

  test('the sign-in page of a practice opens in the system’s browser', async () => {
    const provider = await startOidcProvider(newId())
    const service = createServer((request, response) => {
      const address = `http://${request.headers.host}/v1`
      const desktop = { issuer: provider.issuer, client_id: 'desktop', scopes: [] }
      const lists = { authorization_servers: [provider.issuer], scopes_supported: [], bearer_methods_supported: [] }
      const metadata = { resource: address, afterword_desktop: desktop, ...lists }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    })
    await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready))
    try {
      await start()
      await createVault(app())
      const practice = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
      const { address } = await expectOk(app(), 'moving.signIn', { address: practice })
      expect(await app().ask('openWindowFromPage', `${address}&more=1`)).toBe('deny')
      expect(details('opened-outside')).toEqual([])
      expect(await app().ask('openWindowFromPage', address)).toBe('deny')
      expect(details('opened-outside')).toEqual([address])
    } finally {
      service.close()
      await provider.close()
    }
  })

  test.each((['linux', 'darwin', 'win32'] as const).filter(canRunAs))(
    '%s: no menu item or key reloads the window or opens developer tools',
    async (platform) => {
      await start({ platform, isPackaged: true })
      const roles = await app().ask('menuRoles')
      for (const role of ['reload', 'forceReload', 'toggleDevTools', 'toggledevtools', 'forcereload'])
        expect(roles).not.toContain(role)
      expect(roles).toEqual(expect.arrayContaining(['copy', 'paste', 'undo', 'selectAll']))
      if (platform === 'darwin') expect(roles).toContain('quit')
    },
  )

  test('developer tools are there in development and not in the packaged app', async () => {
    await start({ isPackaged: true })
    expect(await app().ask('window')).toMatchObject({ mayOpenDevTools: false })
    await app().remove()
    await start()
    expect(await app().ask('window')).toMatchObject({ mayOpenDevTools: true })
  })
})
