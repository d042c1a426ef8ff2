import * as client from 'openid-client'
import type { Clock } from '#base/clock.ts'
import type { Provider, Tokens } from './provider.ts'
import { asked, discover, tokensOf } from './provider.ts'

/** Client credentials grant (RFC 6749, 4.4). @throws AppError `unauthenticated`, `service-unreachable` */
export async function machineTokens(provider: Provider, secret: string, clock: Clock): Promise<Tokens> {
  const config = await discover(provider, client.ClientSecretBasic(secret))
  const { resource, scopes } = provider
  const answer = await asked(() => client.clientCredentialsGrant(config, { scope: scopes.join(' '), resource }))
  return tokensOf(answer, clock.now())
}
