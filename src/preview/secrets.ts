import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Nonces, signedText } from '#contract/bridge/handshake.ts'

/** What lets a browser in. Made by the supervisor for its own lifetime, so that a restarted core still knows its windows. */
export interface PreviewSecrets {
  /** A name of this run alone: cookies ignore ports, so another loopback server would be sent a fixed name. */
  readonly cookie_name: string
  readonly cookie_value: string
  /** Comes with every page that the cookie opens. The server and the window prove to each other that they have it. */
  readonly window_key: string
  /** Opens once; null after use. */
  readonly token: string | null
}

const secret = (): string => randomBytes(32).toString('base64url')

export function newSecrets(): PreviewSecrets {
  return {
    cookie_name: `afterword-${randomBytes(6).toString('hex')}`,
    cookie_value: secret(),
    window_key: secret(),
    token: secret(),
  }
}

export function withNewToken(secrets: PreviewSecrets): PreviewSecrets {
  return { ...secrets, token: secret() }
}

/** In constant time, so that an answer's timing tells nothing. */
export function isSame(given: string | null | undefined, expected: string | null): boolean {
  if (given === null || given === undefined || expected === null) return false
  const left = Buffer.from(given)
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}

export function hasCookie(header: string | null | undefined, secrets: PreviewSecrets): boolean {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='))
  const found = pairs.find(([name]) => name === secrets.cookie_name)
  return isSame(found?.[1], secrets.cookie_value)
}

export function proofOf(windowKey: string, signer: 'server' | 'window', nonces: Nonces): string {
  return createHmac('sha256', windowKey).update(signedText(signer, nonces)).digest('base64url')
}
