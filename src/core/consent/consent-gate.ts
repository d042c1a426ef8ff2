import type { ConsentGate, ConsentScope } from '#contract/model/consent.ts'
import { consentScopeSchema } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { normalName } from '#core/clients/client-names.ts'
import type { Agreement } from './consent-repository.ts'

/** The scopes the work on a session needs; somebody who lacks one of these is named as missing. */
const neededScopes = ['record', 'transcribe', 'draft'] as const satisfies readonly ConsentScope[]

/** Everyone in the room besides the therapist; the client alone where nobody is listed. */
export function present(participants: readonly Participant[], clientName: string): readonly Participant[] {
  return participants.length > 0 ? participants : [{ name: clientName, role: 'client' }]
}

/**
 * The scopes one person agreed to and has not revoked. A no counts for everything agreed to before it, an older form
 * that nobody took back included. Known by name; the room's only client has also said no under any name they had.
 */
export function agreedBy(
  person: Participant,
  everyone: readonly Participant[],
  agreements: readonly Agreement[],
): ConsentScope[] {
  const key = normalName(person.name)
  const isOnlyClient = person.role === 'client' && everyone.filter(({ role }) => role === 'client').length === 1
  const own = agreements.filter(({ participant_key }) => participant_key === key)
  const refused = agreements.filter(({ participant_key, role }) => participant_key === key || (isOnlyClient && role === 'client'))
  return consentScopeSchema.options.filter((scope) => {
    const lastNo = lastRefusal(refused.filter(({ scopes }) => scopes.includes(scope)))
    return own.some(
      ({ scopes, revoked_at, given_at }) => scopes.includes(scope) && revoked_at === null && Date.parse(given_at) > lastNo,
    )
  })
}

/** In milliseconds; before all time where nobody said no. */
export function lastRefusal(agreements: readonly Pick<Agreement, 'revoked_at'>[]): number {
  return Math.max(-Infinity, ...agreements.flatMap(({ revoked_at }) => (revoked_at === null ? [] : [Date.parse(revoked_at)])))
}

/** A scope is granted only by everyone present. */
export function consentGate(everyone: readonly Participant[], agreements: readonly Agreement[]): ConsentGate {
  const each = everyone.map((participant) => ({ participant, agreed: agreedBy(participant, everyone, agreements) }))
  return {
    granted: consentScopeSchema.options.filter((scope) => each.every(({ agreed }) => agreed.includes(scope))),
    missing: each
      .map(({ participant, agreed }) => ({ participant, scopes: neededScopes.filter((scope) => !agreed.includes(scope)) }))
      .filter(({ scopes }) => scopes.length > 0),
  }
}
