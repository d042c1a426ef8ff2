import { type Nonces, signedText, windowKeyMeta } from '#contract/bridge/handshake.ts'

/** The key that came with this page, or '' where none did: then no server can prove itself to it. */
export function windowKeyOf(page: Document): string {
  return page.querySelector(`meta[name="${windowKeyMeta}"]`)?.getAttribute('content') ?? ''
}

export function newNonce(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(16)))
}

export async function proofOf(windowKey: string, signer: 'server' | 'window', nonces: Nonces): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(windowKey), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signedText(signer, nonces)))
  return base64url(new Uint8Array(signature))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
