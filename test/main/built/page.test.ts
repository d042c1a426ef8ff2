import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordingPath } from '#contract/bridge/library.ts'
import { build } from '#test/support/built-app.ts'
import { startApp, type StartedApp } from '#test/support/electron/started-app.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { addSession, expectOk, Ledger } from './ledger.ts'

let app: StartedApp
let ledger: Ledger

beforeAll(async () => {
  build()
  app = startApp()
  ledger = await Ledger.start(app)
  await ledger.appendMany(20)
  await ledger.finish()
})
afterAll(() => app.remove())

const get = (path: string, headers: Record<string, string> = {}, resourceType: 'xhr' | 'media' | 'script' = 'xhr') =>
  app.ask('request', { url: `app://afterword${path}`, headers, resourceType })
const text = (body: Uint8Array): string => Buffer.from(body).toString('utf8')

describe('app://afterword', () => {
  test('answers the page with its content security policy', async () => {
    const page = await get('/')
    expect(page).toMatchObject({ status: 200, error: null })
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    const policy = page.headers['content-security-policy'] ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "media-src 'self'", "connect-src 'self'"]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect(policy).not.toMatch(/unsafe-(inline|eval)/)
  })

  test('answers every script and style that the page names', async () => {
    const page = text((await get('/')).body)
    const paths = [...page.matchAll(/(?:src|href)="(\/?[^":]+\.(?:js|css|svg))"/g)].map(([, path]) => path!)
    expect(paths.some((path) => path.endsWith('.js'))).toBe(true)
    for (const path of paths) {
      const { status, headers } = await get(new URL(path, 'http://x/').pathname, {}, 'script')
      expect(status, path).toBe(200)
      if (path.endsWith('.js')) expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    }
  })

  test.each([
    '/%E0%A4%A',
    '/nothing.js',
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/media/recordings/none',
    '/exports/none',
  ])('answers %s with 404', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, error: null })
  })

  test('answers nothing under another host', async () => {
    for (const url of ['app://elsewhere/', `app://elsewhere${recordingPath(ledger.recordingId)}`]) {
      expect(await app.ask('request', { url })).toMatchObject({ status: 404, error: null })
    }
  })
})

describe('a recording’s sound', () => {
  const path = (): string => recordingPath(ledger.recordingId)

  test('plays whole', async () => {
    const { status, headers, body } = await get(path(), {}, 'media')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(body.length),
      'content-type': 'audio/ogg',
    })
    expect(demux(Buffer.from(body)).packets).toHaveLength(2 + 200)
  })

  test('plays from any place: ranges answer 206 with exactly these bytes', async () => {
    const whole = Buffer.from((await get(path(), {}, 'media')).body)
    const last = whole.length - 1
    const ranges = [
      ['bytes=0-', 0, last],
      ['bytes=0-0', 0, 0],
      ['bytes=1000-1999', 1000, 1999],
      ['bytes=-500', whole.length - 500, last],
      [`bytes=${last}-${last + 1000}`, last, last],
    ] as const
    for (const [range, from, to] of ranges) {
      const { status, headers, body } = await get(path(), { range }, 'media')
      expect(status, range).toBe(206)
      expect(headers['content-range']).toBe(`bytes ${from}-${to}/${whole.length}`)
      expect(Buffer.from(body).equals(whole.subarray(from, to + 1)), range).toBe(true)
    }
  })

  test('answers 416 where the range begins after the end', async () => {
    const { body } = await get(path(), {}, 'media')
    const { status, headers } = await get(path(), { range: `bytes=${body.length}-` }, 'media')
    expect(status).toBe(416)
    expect(headers['content-range']).toBe(`bytes */${body.length}`)
  })
})

describe('the bridge of the built app', () => {
  test('calls reach the core and events reach the page', async () => {
    const from = app.journal.length
    const session_id = await addSession(app)
    expect(await expectOk(app, 'sessions.get', { id: session_id } as never)).toMatchObject({})
    expect(await app.event('records.changed', ({ kinds }) => kinds.includes('sessions'), from)).toBeTruthy()
  })

  test('an unknown method and a broken input are answers, not exceptions', async () => {
    expect(await app.ask('call', 'no.such', {})).toMatchObject({ ok: false, error: { code: 'bad-request' } })
    expect(await app.ask('call', 'clients.create', { display_name: 7 })).toMatchObject({
      ok: false,
      error: { code: 'validation-failed' },
    })
  })

  test('an input over 32 MB is refused as too large', async () => {
    const packets = new Uint8Array(33 * 1024 * 1024)
    const input = { recording_id: ledger.recordingId, sequence: 0, packets, peak: 0, rms: 0 }
    expect(await app.ask('call', 'recordings.append', input)).toMatchObject({ ok: false, error: { code: 'too-large' } })
  })

  test('the page sees three functions of the bridge, and nothing of Node or Electron', async () => {
    expect(await app.ask('world')).toEqual({ afterword: ['call', 'on', 'onConnection'] })
  })

  test('calls from another page or frame are refused', async () => {
    for (const from of [
      { url: 'https://elsewhere.example/', isMainFrame: true },
      { url: 'app://afterword.example/', isMainFrame: true },
      { url: 'app://afterword/', isMainFrame: false },
    ]) {
      await expect(app.ask('invokeAs', from, 'afterword:call', 'app.state', {})).rejects.toThrow('Error invoking remote method')
    }
  })
})
