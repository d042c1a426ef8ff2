import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staticFiles } from '#shell/static-files.ts'

let parent = ''
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'afterword-files-'))
  mkdirSync(join(parent, 'renderer'))
  writeFileSync(join(parent, 'secret.html'), 'outside')
  writeFileSync(join(parent, 'renderer', 'index.html'), '<meta nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>')
  writeFileSync(join(parent, 'renderer', 'key.html'), '<meta content="__WINDOW_KEY__">')
  writeFileSync(join(parent, 'renderer', 'app.js'), 'run()')
})
afterAll(() => rmSync(parent, { recursive: true }))

test('the page carries a nonce of its own on every load, and the policy names the same one', async () => {
  const files = staticFiles(join(parent, 'renderer'), [])
  const nonces = new Set<string>()
  for (let load = 0; load < 3; load += 1) {
    const page = await files('/')
    const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? ''
    expect(await page.text()).toBe(`<meta nonce="${nonce}"><style nonce="${nonce}"></style>`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(3)
})

test('nothing outside the folder is served, however it is asked for', async () => {
  const files = staticFiles(join(parent, 'renderer'), [])
  for (const path of ['/../secret.html', '/%2e%2e/secret.html', '/..%2fsecret.html', '/%2e%2e%2fsecret.html', '//secret.html']) {
    expect((await files(path)).status, path).toBe(404)
  }
  expect((await files('/app.js')).status).toBe(200)
})

test('the policy allows no inline script, no blob, no other host', async () => {
  const policy =
    (await staticFiles(join(parent, 'renderer'), ['ws://127.0.0.1:1'])('/')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/unsafe|blob:|\*/)
})

test('a path whose escapes are not UTF-8 is not found, and does not fail', async () => {
  const files = staticFiles(join(parent, 'renderer'), [])
  for (const path of ['/%E0%A4%A', '/%', '/%zz', '/app.js%00']) expect((await files(path)).status, path).toBe(404)
})

test('every answer carries the policy and the headers that keep other origins away, scripts and refusals included', async () => {
  const files = staticFiles(join(parent, 'renderer'), [])
  for (const path of ['/', '/app.js', '/missing.js']) {
    const { headers } = await files(path)
    expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('cache-control'), path).toBe('no-store')
  }
  for (const path of ['/', '/app.js']) {
    const policy = (await files(path)).headers.get('content-security-policy') ?? ''
    expect(policy, path).toContain("default-src 'none'")
  }
})

test('the page carries the window key where there is one', async () => {
  expect(await (await staticFiles(join(parent, 'renderer'), [], 'k1')('/key.html')).text()).toBe('<meta content="k1">')
  expect(await (await staticFiles(join(parent, 'renderer'), [])('/key.html')).text()).toBe('<meta content="">')
})
