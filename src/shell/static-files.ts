import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/**
 * The renderer's built files under either shell, with the one content security policy. A new nonce for every load: only
 * react-aria's and the app's own style elements carry it.
 *
 * @param connect what may be connected to besides the own origin (the preview's socket)
 */
export function staticFiles(folder: string, connect: readonly string[]): (path: string) => Promise<Response> {
  return async (path) => {
    const file = normalize(join(folder, path === '/' ? 'index.html' : decodeURIComponent(path)))
    if (!file.startsWith(folder + sep)) return notFound()
    const mediaType = mediaTypes[extname(file)]
    if (mediaType === undefined) return notFound()
    const content = await readFile(file).catch(() => null)
    if (content === null) return notFound()
    if (!file.endsWith('.html')) return new Response(new Uint8Array(content), { headers: headers(mediaType) })
    const nonce = randomBytes(18).toString('base64')
    const page = content.toString('utf8').replaceAll('__CSP_NONCE__', nonce)
    return new Response(page, {
      headers: { ...headers(mediaType), 'Content-Security-Policy': contentSecurityPolicy(nonce, connect) },
    })
  }
}

function headers(mediaType: string): Record<string, string> {
  return {
    'Content-Type': mediaType,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

function notFound(): Response {
  return new Response('Not found', { status: 404, headers: { 'Cache-Control': 'no-store' } })
}

function contentSecurityPolicy(nonce: string, connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "worker-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
