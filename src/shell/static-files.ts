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
 * Each page load gets a new nonce for the style elements of react-aria and the app.
 * @param connect addresses besides its own origin that the page may connect to (the preview's socket)
 * @param windowKey secret in the preview's page, with which the page proves itself to the server; empty in Electron
 */
export function staticFiles(folder: string, connect: readonly string[], windowKey = ''): (path: string) => Promise<Response> {
  return async (path) => {
    const file = fileOf(folder, path)
    const mediaType = file === null ? undefined : mediaTypes[extname(file)]
    if (file === null || mediaType === undefined) return notFound()
    const content = await readFile(file).catch(() => null)
    if (content === null) return notFound()
    // The content security policy of a worker comes from its script's response, not from the page's.
    if (!file.endsWith('.html')) {
      return new Response(new Uint8Array(content), { headers: headers(mediaType, contentSecurityPolicy([], connect)) })
    }
    const nonce = randomBytes(18).toString('base64')
    const page = content.toString('utf8').replaceAll('__CSP_NONCE__', nonce).replaceAll('__WINDOW_KEY__', windowKey)
    return new Response(page, { headers: headers(mediaType, contentSecurityPolicy([`'nonce-${nonce}'`], connect)) })
  }
}

function fileOf(folder: string, path: string): string | null {
  try {
    const file = normalize(join(folder, path === '/' ? 'index.html' : decodeURIComponent(path)))
    return file.startsWith(folder + sep) ? file : null
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

function headers(mediaType: string, policy: string): Record<string, string> {
  return { ...privateHeaders, 'content-type': mediaType, 'content-security-policy': policy }
}

const notFound = (): Response => new Response('Not found', { status: 404, headers: privateHeaders })

function contentSecurityPolicy(styles: readonly string[], connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
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

export const privateHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const
