import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Nonces, signedText } from '#contract/bridge/preview-socket.ts'
import type { PreviewSecrets } from './messages.ts'

const secret = (): string => randomBytes(32).toString('base64url')

export function newSecrets(): PreviewSecrets {
  return {
    cookie_name: `afterword-${randomBytes(6).toString('hex')}`,
    cookie_value: secret(),
    window_key: secret(),
    token: secret(),
  }
}

export const withNewToken = (secrets: PreviewSecrets): PreviewSecrets => ({ ...secrets, token: secret() })

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
