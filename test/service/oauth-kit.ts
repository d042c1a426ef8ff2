import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import type { JWTPayload } from 'jose'

/** An issuer as bare as can be: its keys behind HTTP, and tokens of any kind from it. */
export interface BareIssuer {
  readonly issuer: string
  /** How its keys are answered; null cuts the connection. */
  answer: { status: number; body?: string } | null
  asked: number
  /** New keys, the ones before gone. */
  rotate(kid: string): Promise<void>
  /** Claims, or the payload as it is written. */
  token(
    claims: JWTPayload | string,
    header?: { alg?: string; typ?: string; kid?: string },
    key?: CryptoKey | Uint8Array,
  ): Promise<string>
  close(): Promise<void>
}

export async function startBareIssuer(): Promise<BareIssuer> {
  let keys = await generateKeyPair('ES256', { extractable: true })
  let kid = 'one'
  let jwks = await publicKeys()
  const server = createServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration')
      return void response.end(JSON.stringify({ issuer: kit.issuer, jwks_uri: `${kit.issuer}/keys` }))
    kit.asked += 1
    if (kit.answer === null) return void request.socket.destroy()
    response.writeHead(kit.answer.status, { 'Content-Type': 'application/json' })
    return void response.end(kit.answer.body ?? jwks)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const kit: BareIssuer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: { status: 200 },
    asked: 0,
    rotate: async (name) => {
      keys = await generateKeyPair('ES256', { extractable: true })
      kid = name
      jwks = await publicKeys()
    },
    token: (claims, header = {}, key = keys.privateKey) =>
      new CompactSign(new TextEncoder().encode(typeof claims === 'string' ? claims : JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
        .sign(key),
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => void server.close(() => closed()))
    },
  }
  return kit

  async function publicKeys(): Promise<string> {
    return JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid, use: 'sig', alg: 'ES256' }] })
  }
}
