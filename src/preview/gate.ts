import { hasCookie, isSame, type PreviewSecrets } from './secrets.ts'

interface GateState {
  secrets: PreviewSecrets
  readonly origin: () => string
  readonly onTokenUsed: () => void
}

/**
 * Who may come in over loopback: the Host must be ours (a rebound name is not: 421), then either the one-time token,
 * which is exchanged for a cookie, or that cookie.
 *
 * @returns the answer that ends the request here, or null where it may go on
 */
export function gate(state: GateState, request: Request): Response | null {
  const url = new URL(request.url)
  if (request.headers.get('host') !== new URL(state.origin()).host) return refuse(421, 'This address is not served here.')
  const token = url.searchParams.get('token')
  if (url.pathname === '/' && token !== null) return exchange(state, token)
  if (hasCookie(request.headers.get('cookie'), state.secrets)) return null
  return refuse(403, 'This browser is not signed in to Afterword. Start Afterword again to open a window.')
}

/**
 * Answers with a page and not with a redirect: a Strict cookie is withheld while a navigation that began on another site
 * is redirected. The page navigates again from its own origin, replaces itself in the history, and sends no Referer.
 */
function exchange(state: GateState, token: string): Response {
  if (!isSame(token, state.secrets.token))
    return refuse(403, 'This address was already used. Start Afterword again to get a new one.')
  state.secrets = { ...state.secrets, token: null }
  state.onTokenUsed()
  const { cookie_name, cookie_value } = state.secrets
  return new Response(enterPage, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Set-Cookie': `${cookie_name}=${cookie_value}; HttpOnly; SameSite=Strict; Path=/`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
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
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })
}
