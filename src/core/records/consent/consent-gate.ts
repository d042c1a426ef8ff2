import type { ConsentGate, ConsentScope } from '#contract/model/consent.ts'
import { consentScopeSchema } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import type { ConsentForm } from '#domain/consent.ts'
import { agreedScopes } from '#domain/consent.ts'

/** The scopes the work on a session needs; somebody who lacks one of these is named as missing. */
const neededScopes = ['record', 'transcribe', 'draft'] as const satisfies readonly ConsentScope[]

/** A scope is granted only by everyone present. */
export function consentGate(everyone: readonly Participant[], forms: readonly ConsentForm[]): ConsentGate {
  const each = everyone.map((participant) => ({ participant, agreed: agreedScopes(participant, everyone, forms) }))
  return {
    granted: consentScopeSchema.options.filter((scope) => each.every(({ agreed }) => agreed.includes(scope))),
    missing: each
      .map(({ participant, agreed }) => ({ participant, scopes: neededScopes.filter((scope) => !agreed.includes(scope)) }))
      .filter(({ scopes }) => scopes.length > 0),
  }
}
