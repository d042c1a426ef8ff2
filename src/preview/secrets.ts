import { randomBytes, timingSafeEqual } from 'node:crypto'

/** What lets a browser in. Made by the supervisor for its own lifetime, so that a restarted core still knows its windows. */
export interface PreviewSecrets {
  /** Of this run alone: cookies ignore ports, so another loopback server would be sent a fixed name. */
  readonly cookie_name: string
  readonly cookie_value: string
  /** Opens once; null after use. */
  readonly token: string | null
}

const secret = (): string => randomBytes(32).toString('base64url')

export function newSecrets(): PreviewSecrets {
  return { cookie_name: `afterword-${randomBytes(6).toString('hex')}`, cookie_value: secret(), token: secret() }
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
