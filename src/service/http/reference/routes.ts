import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import type { Env } from '../variables.ts'
import { docsPage, docsPolicy, frontPage, frontPolicy, pointers, startScript } from './page.ts'
import { redocBundle } from './redoc-bundle.ts'

const bases = ['/v1', '/api/v1'] as const
const script = { 'Content-Type': 'text/javascript; charset=utf-8' } as const

/**
 * What the service can do, for programs and for people, open to anyone: it says nothing of what is stored here. The
 * document is written once, since anyone may ask as often as they like.
 *
 * @returns the addresses it answers
 */
export function describeApi(app: Hono<Env>, issuers: readonly string[]): string[] {
  let written: Promise<string> | null = null
  const document = (): Promise<string> =>
    (written ??= import('#contract/rest/openapi.ts').then(({ openApiDocument }) => JSON.stringify(openApiDocument(issuers))))
  app.get('/', (c) => {
    c.header('Vary', 'Accept')
    const wantsPage = /\btext\/html\b/.test(c.req.header('accept') ?? '')
    return wantsPage ? c.html(frontPage, 200, { 'Content-Security-Policy': frontPolicy }) : c.json(pointers)
  })
  for (const base of bases) {
    app.get(`${base}/openapi.json`, async (c) => c.body(await document(), 200, { 'Content-Type': 'application/json' }))
    app.get(`${base}/docs`, (c) => {
      if (redocBundle() === null) return c.redirect(`${base}/openapi.json`)
      const nonce = randomBytes(16).toString('base64')
      const headers = { 'Content-Security-Policy': docsPolicy(nonce), 'Referrer-Policy': 'no-referrer' }
      return c.html(docsPage(base, nonce), 200, headers)
    })
    app.get(`${base}/docs/start.js`, (c) => c.body(startScript, 200, script))
    app.get(`${base}/docs/redoc.js`, async (c) => {
      const file = redocBundle()
      return file === null ? c.notFound() : c.body(await readFile(file), 200, script)
    })
  }
  const below = ['openapi.json', 'docs', 'docs/start.js', 'docs/redoc.js']
  return ['/', ...bases.flatMap((base) => below.map((path) => `${base}/${path}`))]
}
