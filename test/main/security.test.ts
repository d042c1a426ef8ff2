import { beforeAll, expect, test } from 'vitest'
import { declareProtocol, serveProtocol } from '#main/app-protocol.ts'
import { restrictEverything } from '#main/security.ts'
import { openWindow } from '#main/window.ts'
import { stayAwakeWhileRecording } from '#main/power.ts'
import { app, seen } from '#test/support/electron-stand-in.ts'

const asked: string[] = []

beforeAll(async () => {
  declareProtocol()
  restrictEverything()
  await app.whenReady()
  openWindow()
  serveProtocol({
    call: () => Promise.resolve({ ok: true, value: null }),
    media: (request) => {
      asked.push(request.url)
      return Promise.resolve(new Response('sound'))
    },
    lock: () => Promise.resolve({ ok: true as const, value: {} }),
    isLocked: () => false,
    close: () => Promise.resolve(),
  })
})

test('the window is sandboxed, isolated and titled with nobody’s name', () => {
  expect(seen.sandboxed).toBe(true)
  const { options, url } = seen.windows[0] as { options: { title: string; webPreferences: object }; url: string }
  expect(options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false,
  })
  expect(options.title).toBe('Afterword')
  expect(url).toBe('app://afterword/')
  expect(seen.spellChecker).toBe(false)
})

test('the microphone is for our own window alone, and a camera is for nobody', () => {
  const ask = (permission: string, details: object): boolean => {
    let granted = false
    seen.permissionRequest?.(...([null, permission, (answer: boolean) => (granted = answer), details] as never[]))
    return granted
  }
  expect(ask('media', { requestingUrl: 'app://afterword/', mediaTypes: ['audio'] })).toBe(true)
  expect(ask('media', { requestingUrl: 'app://afterword/', mediaTypes: ['audio', 'video'] })).toBe(false)
  expect(ask('media', { requestingUrl: 'app://afterword/' })).toBe(false)
  expect(ask('media', { requestingUrl: 'https://elsewhere.example/', mediaTypes: ['audio'] })).toBe(false)
  for (const permission of ['notifications', 'geolocation', 'clipboard-read', 'hid', 'openExternal']) {
    expect(ask(permission, { requestingUrl: 'app://afterword/' }), permission).toBe(false)
  }
})

test('navigation stays inside, new windows are refused, only https leaves to the system browser', () => {
  const listeners = new Map<string, (event: object) => void>()
  let openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })
  app.emit(
    'web-contents-created',
    {},
    {
      on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
      setWindowOpenHandler: (handler: typeof openHandler) => (openHandler = handler),
    },
  )
  const isStopped = (name: string, url: string): boolean => {
    let stopped = false
    listeners.get(name)?.({ url, preventDefault: () => (stopped = true) })
    return stopped
  }
  expect(isStopped('will-navigate', 'https://elsewhere.example/')).toBe(true)
  expect(isStopped('will-redirect', 'file:///etc/passwd')).toBe(true)
  expect(isStopped('will-navigate', 'app://afterword/#/today')).toBe(false)
  expect(isStopped('will-attach-webview', '')).toBe(true)
  expect(openHandler({ url: 'https://afterword.example/help' })).toEqual({ action: 'deny' })
  expect(openHandler({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' })
  expect(seen.external).toEqual(['https://afterword.example/help'])
})

test('media and exports go to the core, another host gets nothing', async () => {
  const serve = seen.protocols.get('app')
  expect(await (await serve?.(new Request('app://afterword/media/recordings/1')))?.text()).toBe('sound')
  expect((await serve?.(new Request('app://elsewhere/media/recordings/1')))?.status).toBe(404)
  expect(asked).toEqual(['app://afterword/media/recordings/1'])
})

test('the laptop stays awake while a recording runs, and only then', () => {
  const follow = stayAwakeWhileRecording()
  follow('recording.changed', { state: 'recording' })
  expect(seen.blockers.size).toBe(1)
  follow('recording.changed', { state: 'paused' })
  expect(seen.blockers.size).toBe(0)
})
