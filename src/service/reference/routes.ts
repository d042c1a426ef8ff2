import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { openApiDocument } from '#contract/rest/openapi.ts'
import type { Env } from '../guards/variables.ts'
import type { Document } from './document.ts'
import { referencePage } from './page.ts'
import { style } from './style.ts'

/** Where an integrator who knows only the host begins. */
const pointers = {
  name: 'Clinical Documentation Service',
  docs: '/v1/docs',
  openapi: '/v1/openapi.json',
  service: '/v1',
} as const
const frontPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${pointers.name}</title>
<h1>${pointers.name}</h1><p>Read the <a href="${pointers.docs}">API documentation</a> or the <a href="${pointers.openapi}">OpenAPI document</a>. Calls go to <code>${pointers.service}</code>.</p></html>
`
const bases = ['/v1', '/api/v1'] as const
/** No script, nothing from anywhere, and one style: this one. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * What the service can do, for programs and for people. Open to anybody: it says nothing of what is kept here. Written
 * once, since anybody may ask as often as they like.
 *
 * @returns the addresses it answers
 */
export function describeApi(app: Hono<Env>, issuers: readonly string[]): string[] {
  let written: { json: string; page: string } | null = null
  const write = (): { json: string; page: string } => {
    const document = openApiDocument(issuers)
    // Made here, so it has what is read of it; the type of its making says no more than that it is JSON.
    written ??= { json: JSON.stringify(document), page: referencePage(document as unknown as Document) }
    return written
  }
  for (const base of bases) {
    app.get(`${base}/openapi.json`, (c) => c.body((written ?? write()).json, 200, { 'Content-Type': 'application/json' }))
    app.get(`${base}/docs`, (c) =>
      c.body((written ?? write()).page, 200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
        'Referrer-Policy': 'no-referrer',
      }),
    )
  }
  app.get('/', (c) => {
    c.header('Vary', 'Accept')
    const wantsPage = /\btext\/html\b/.test(c.req.header('accept') ?? '')
    return wantsPage ? c.html(frontPage, 200, { 'Content-Security-Policy': policy }) : c.json(pointers)
  })
  return ['/', ...bases.flatMap((base) => [`${base}/openapi.json`, `${base}/docs`])]
}
