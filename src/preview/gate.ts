import type { IncomingMessage } from 'node:http'
import { privateHeaders } from '#shell/static-files.ts'
import type { PreviewSecrets } from './messages.ts'
import { hasCookie, isSame } from './secrets.ts'

interface GateState {
  secrets: PreviewSecrets
  readonly origin: string
  readonly onTokenUsed: () => void
}

/**
 * Checks a request over loopback. The Host header must match, which prevents DNS rebinding. The request needs the cookie, or
 * the one-time token, which is exchanged for the cookie. With the cookie, requests from other web pages are still refused.
 * @returns the response that ends the request, or null if it may proceed
 */
export function gate(state: GateState, request: Request): Response | null {
  const url = new URL(request.url)
  if (request.headers.get('host') !== new URL(state.origin).host)
    return refuse(421, 'This address doesn’t belong to Afterword. Start Afterword again to open a window.')
  const token = url.searchParams.get('token')
  if (url.pathname === '/' && token !== null) return exchange(state, token)
  if (!hasCookie(request.headers.get('cookie'), state.secrets))
    return refuse(403, 'This browser is not signed in to Afterword. Start Afterword again to open a window.')
  if (!isOurOwn(request.headers.get('sec-fetch-site')))
    return refuse(
      403,
      'Another web page tried to open Afterword, so Afterword refused. Your records are safe. Start Afterword again to open a window.',
    )
  return null
}

/** Scripts of any origin can open a WebSocket to any address, so Host, Origin and cookie must match. */
export function mayUpgrade(state: Omit<GateState, 'onTokenUsed'>, { headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  return (
    headers.host === new URL(state.origin).host &&
    headers.origin === state.origin &&
    // Chromium omits `Sec-Fetch-Site` on upgrades; the Origin check replaces it.
    (site === undefined || site === 'same-origin') &&
    hasCookie(headers.cookie, state.secrets)
  )
}

const isOurOwn = (site: string | null): boolean => site === 'same-origin' || site === 'none'

/** Answers with a page that navigates again: after a cross-site navigation, redirects carry no Strict cookie. */
function exchange(state: GateState, token: string): Response {
  if (!isSame(token, state.secrets.token))
    return refuse(403, 'This address was already used. Start Afterword again to get a new one.')
  state.secrets = { ...state.secrets, token: null }
  state.onTokenUsed()
  const { cookie_name, cookie_value } = state.secrets
  return new Response(enterPage, {
    headers: {
      ...privateHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'set-cookie': `${cookie_name}=${cookie_value}; HttpOnly; SameSite=Strict; Path=/`,
    },
  })
}

const enterPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=/">
<title>Afterword</title>
<p><a href="/">Open Afterword</a></p>
`

function refuse(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...privateHeaders, 'content-type': 'text/plain; charset=utf-8' } })
}
