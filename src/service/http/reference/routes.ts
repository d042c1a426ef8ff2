import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../request.ts'

const bases = ['/v1', '/api/v1'] as const
const script = { 'Content-Type': 'text/javascript; charset=utf-8' } as const

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

const places = ['redoc.standalone.js', '../../../../node_modules/redoc/bundles/redoc.standalone.js']

function redocBundle(): string | null {
  return places.map((place) => join(import.meta.dirname, place)).find((file) => existsSync(file)) ?? null
}

const pointers = {
  name: 'Clinical Documentation Service',
  docs: '/v1/docs',
  openapi: '/v1/openapi.json',
  service: '/v1',
} as const

const frontPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const frontPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pointers.name}</title>
<h1>${pointers.name}</h1>
<p>Read the <a href="${pointers.docs}">API documentation</a> or the <a href="${pointers.openapi}">OpenAPI document</a>.
Calls go to <code>${pointers.service}</code>.</p>
</html>
`

/** Redoc's runtime styles carry the nonce; its icons are data URLs. Nothing comes from another host. */
const docsPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const style =
  'body{margin:0}a[href*="redocly.com"]{display:none!important}h1{font-size:1.75rem!important;word-break:normal!important}'

const docsPage = (base: string, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" nonce="${nonce}">
<title>${pointers.name} API</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<div id="reference" data-base="${base}"></div>
<noscript><p>This page needs JavaScript. The <a href="${base}/openapi.json">OpenAPI document</a> says the same.</p></noscript>
<script type="module" src="${base}/docs/start.js"></script>
</body>
</html>
`

const startScript = `const place = document.getElementById('reference')
const base = place.dataset.base
const { init } = await import(base + '/docs/redoc.js')
init(base + '/openapi.json', { disableTelemetry: true, showPageActions: false }, place)
`
