import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/rest/routes.ts'
import type { Route } from '#contract/rest/route.ts'
import { html } from '#service/reference/html.ts'
import { openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
beforeAll(async () => {
  kit = await openKit({ caller: 'api-keys' })
})
afterAll(() => kit.close())

test('the page is open to anybody, whole in itself, and runs no script', async () => {
  for (const address of ['/v1/docs', '/api/v1/docs']) {
    const response = await kit.fetch('GET', address)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const page = await response.text()
    expect(page).not.toMatch(/<script|javascript:| on\w+=|<link[^>]+href="http|@import|url\(/i)
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page)!
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`)
    expect(policy).toContain("default-src 'none'")
    // Styles stand in that one element alone: nothing else would be let in.
    expect(page).not.toContain(' style="')
  }
  expect((await kit.fetch('POST', '/v1/docs')).status).toBe(405)
})

test('it has a section for every operation, every link leads somewhere, and no name is given twice', async () => {
  const page = await (await kit.fetch('GET', '/v1/docs')).text()
  const named = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(named).size).toBe(named.length)
  const operations = (Object.entries(routes) as [string, Route][]).filter(([, { when }]) => when === undefined).map(([id]) => id)
  expect(named).toEqual(expect.arrayContaining(operations))
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(named).toContain(target)
})

test('what is put into the page is text, whatever it looks like', () => {
  expect(html`<p>${'<script>"&\''}</p>`.html).toBe('<p>&lt;script&gt;&quot;&amp;&#39;</p>')
})
