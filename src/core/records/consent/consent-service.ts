import { AppError } from '#contract/errors.ts'
import type { ConsentGate, ConsentScope } from '#contract/model/consent.ts'
import type { ClientRepository } from '../clients/client-repository.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import { peoplePresent, agreedScopes } from '#domain/consent.ts'
import { consentScopeSchema } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import type { ConsentForm } from '#domain/consent.ts'
import type { ConsentRepository } from './consent-repository.ts'

export interface ConsentService {
  gate(sessionId: string): ConsentGate
  allows(sessionId: string, scope: ConsentScope): boolean
}

export function createConsentService(parts: {
  clients: ClientRepository
  sessions: SessionRepository
  consents: ConsentRepository
}): ConsentService {
  const gate = (sessionId: string): ConsentGate => {
    const session = parts.sessions.find(sessionId)
    const client = session === null ? null : parts.clients.find(session.client_id)
    if (session === null || client === null) throw new AppError('not-found')
    return consentGate(
      peoplePresent(session.participants, client.display_name),
      parts.consents.forms(client.id).get(client.id) ?? [],
    )
  }
  return { gate, allows: (sessionId, scope) => gate(sessionId).granted.includes(scope) }
}

const neededScopes = ['record', 'transcribe', 'draft'] as const satisfies readonly ConsentScope[]

/** A scope is granted only if everyone present agreed. */
export function consentGate(everyone: readonly Participant[], forms: readonly ConsentForm[]): ConsentGate {
  const each = everyone.map((participant) => ({ participant, agreed: agreedScopes(participant, everyone, forms) }))
  return {
    granted: consentScopeSchema.options.filter((scope) => each.every(({ agreed }) => agreed.includes(scope))),
    missing: each
      .map(({ participant, agreed }) => ({ participant, scopes: neededScopes.filter((scope) => !agreed.includes(scope)) }))
      .filter(({ scopes }) => scopes.length > 0),
  }
}
