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
  return refuse(403, 'Open Afterword from where it was started: this address works once, in one browser.')
}

function exchange(state: GateState, token: string): Response {
  if (!isSame(token, state.secrets.token))
    return refuse(403, 'This address was used before. Start Afterword again for a new one.')
  state.secrets = { ...state.secrets, token: null }
  state.onTokenUsed()
  const { cookie_name, cookie_value } = state.secrets
  return new Response(null, {
    status: 303,
    headers: {
      Location: '/',
      'Set-Cookie': `${cookie_name}=${cookie_value}; HttpOnly; SameSite=Strict; Path=/`,
      'Cache-Control': 'no-store',
    },
  })
}

function refuse(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })
}
