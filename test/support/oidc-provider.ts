import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'

/** A real OpenID provider on loopback. It knows one person, who signs in without a password. */
export interface OidcProvider {
  readonly issuer: string
  /** Puts more into every access token. */
  claims: Record<string, unknown>
  /** What a browser does with an address: goes where it is sent, until it is sent to somewhere else than the provider. */
  browse(address: string): Promise<URL>
  close(): Promise<void>
}

export const resource = 'https://service.example/v1'
export const machineSecret = 'a secret that a machine alone has'
const scopes = 'practice.owner practice.clinician practice.front_desk'

export async function startOidcProvider(account: string): Promise<OidcProvider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), use: 'sig', kid: 'one', alg: 'ES256' }
  // It must know its own address before it can be made.
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const kit: OidcProvider = {
    issuer,
    claims: {},
    browse: (address) => browse(issuer, address),
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => void server.close(() => closed()))
    },
  }
  const provider = new Provider(issuer, configuration(kit, jwk, account))
  const answer = provider.callback()
  server.on('request', (request, response) => {
    void (request.url?.startsWith('/interaction/') ? interact(provider, request, response) : answer(request, response))
  })
  return kit

  async function interact(of: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session, grantId } = await of.interactionDetails(request, response)
    if (prompt.name === 'login') {
      await of.interactionFinished(request, response, { login: { accountId: account } })
      return
    }
    const known = grantId === undefined ? undefined : await of.Grant.find(grantId)
    const grant = known ?? new of.Grant({ accountId: session!.accountId, clientId: String(params.client_id) })
    const { missingOIDCScope, missingResourceScopes } = prompt.details as {
      missingOIDCScope?: string[]
      missingResourceScopes?: Record<string, string[]>
    }
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '))
    for (const [indicator, missing] of Object.entries(missingResourceScopes ?? {}))
      grant.addResourceScope(indicator, missing.join(' '))
    await of.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: true },
    )
  }
}

function configuration(kit: OidcProvider, jwk: object, account: string): Configuration {
  return {
    clients: [
      {
        client_id: 'desktop',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/signed-in'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
      {
        client_id: 'machine',
        client_secret: machineSecret,
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [jwk] } as Configuration['jwks'] & object,
    pkce: { required: () => true },
    cookies: { keys: ['only of this test'] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => (sub === account ? { accountId: sub, claims: async () => ({ sub }) } : undefined),
    extraTokenClaims: async () => kit.claims,
    rotateRefreshToken: true,
    scopes: ['openid', 'offline_access', ...scopes.split(' ')],
    ttl: {
      AccessToken: 600,
      ClientCredentials: 600,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: 600,
      Session: 600,
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async () => ({
          scope: scopes,
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  } as Configuration
}

async function browse(issuer: string, address: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(address)
  for (let step = 0; step < 20; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      jar.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(location, url)
    if (url.origin !== issuer) return url
  }
  throw new Error('sent in circles')
}
