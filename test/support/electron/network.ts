import type { OnBeforeRequestListenerDetails } from 'electron'
import { effectiveSwitch } from './command-line.ts'
import { record } from './journal.ts'
import { handlerOf, privilegesOf } from './protocol.ts'
import { register } from './registrations.ts'
import type { StandInSession } from './session.ts'

/** Chromium's own numbers (net_error_list.h). */
export const netErrors = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_UNEXPECTED: -9,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_UNKNOWN_URL_SCHEME: -302,
} as const
export type NetErrorName = keyof typeof netErrors

export class NetError extends Error {
  readonly description: NetErrorName
  readonly errno: number
  readonly code: string
  readonly url: string

  constructor(description: NetErrorName, url: string) {
    super(`${description} (${netErrors[description]}) loading '${url}'`)
    this.description = description
    this.errno = netErrors[description]
    this.code = description
    this.url = url
  }
}

export interface PageRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly resourceType: OnBeforeRequestListenerDetails['resourceType']
}

/** The response without headers that a test drops. */
function withoutDropped(response: Response): Response {
  const headers = [...response.headers].filter(([name]) => register(`header:${name}`))
  const body = response.body
  return new Response(body, { status: response.status, statusText: response.statusText, headers })
}

/** One request from a window. A request that the app neither cancels nor serves reaches the network and is recorded. */
export async function requestFrom(session: StandInSession, request: PageRequest): Promise<Response> {
  const { url, method = 'GET', headers = {} } = request
  if (await session.standIn.isRefused(request)) throw new NetError('ERR_BLOCKED_BY_CLIENT', url)
  const scheme = new URL(url).protocol.slice(0, -1)
  const handler = handlerOf(scheme)
  if (handler !== null) {
    const { supportFetchAPI, stream } = privilegesOf(scheme)
    if (request.resourceType === 'xhr' && supportFetchAPI !== true) throw new NetError('ERR_FAILED', url)
    if (request.resourceType === 'media' && stream !== true) throw new NetError('ERR_FAILED', url)
    try {
      const response: unknown = await handler(new Request(url, { method, headers }))
      if (!(response instanceof Response)) throw new TypeError('no response')
      return withoutDropped(response)
    } catch {
      throw new NetError('ERR_UNEXPECTED', url)
    }
  }
  if (!/^(https?|wss?)$/.test(scheme)) throw new NetError('ERR_UNKNOWN_URL_SCHEME', url)
  if (/(^|,)\s*MAP \* ~NOTFOUND\s*(,|$)/.test(effectiveSwitch('host-resolver-rules') ?? '')) {
    throw new NetError('ERR_NAME_NOT_RESOLVED', url)
  }
  record('network', url)
  throw new NetError('ERR_INTERNET_DISCONNECTED', url)
}
