import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Consent } from '#contract/model/consent.ts'
import { newId } from '#base/ids.ts'
import { lastRevocation } from '#domain/consent.ts'
import { isSameName } from '#domain/names.ts'
import type { TakeBackWork } from './consent-service.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { existing } from '#core/records/change.ts'

interface Parts extends Pick<RecordParts, 'clients' | 'consents' | 'consentService' | 'change' | 'clock'> {
  readonly stopUnconsented: (clientId: string) => Promise<void>
  readonly takeBackWork: TakeBackWork
}

type Names = 'consents.list' | 'consents.give' | 'consents.revoke' | 'consents.gate' | 'app.openMicrophone'

export function consentHandlers(parts: Parts): Handlers<Names> {
  const { clients, consents, consentService, change, clock, stopUnconsented, takeBackWork } = parts
  return {
    'consents.list': ({ client_id }) => consents.list(client_id),
    'consents.gate': ({ session_id }) => consentService.gate(session_id),
    'app.openMicrophone': (input) => {
      if (input.purpose === 'recording' && !consentService.allows(input.session_id, 'record'))
        throw new AppError('consent-missing')
      return {}
    },
    'consents.give': (draft) =>
      change(['consents', 'clients', 'sessions'], ({ at, audit, intend }) => {
        existing(clients.find(draft.client_id))
        const id = newId(clock)
        const scopes = [...new Set(draft.scopes)]
        const given = { ...draft, scopes, id, given_at: afterRevocations(at, consents.list(draft.client_id)) }
        const consent: Consent = { ...given, revoked_at: null, created_at: at, updated_at: at, version: 1 }
        consents.insert(consent)
        audit({ action: 'consent.given', subject_id: id, client_id: draft.client_id })
        intend({ kind: 'give-consent', client_id: draft.client_id, session_id: null, subject_id: id, body: given })
        return consent
      }),
    async 'consents.revoke'({ id }) {
      const consent = change(['consents', 'clients', 'sessions', 'transcripts', 'notes'], ({ at, audit, intend }) => {
        const before = existing(consents.find(id))
        if (before.revoked_at !== null) return before
        const { client_id } = before
        for (const form of consents.list(client_id).filter((other) => isOneAgreement(other, before))) {
          consents.revoke(form.id, at)
          audit({ action: 'consent.revoked', subject_id: form.id, client_id })
          intend({ kind: 'revoke-consent', client_id, session_id: null, subject_id: form.id, body: { revoked_at: at } })
        }
        takeBackWork(client_id)
        return consents.find(id)!
      })
      await stopUnconsented(consent.client_id)
      return consent
    },
  }
}

export function isOneAgreement(form: Consent, revoked: Consent): boolean {
  if (form.id === revoked.id) return true
  return (
    form.revoked_at === null &&
    form.participant.role === revoked.participant.role &&
    isSameName(form.participant.name, revoked.participant.name) &&
    form.scopes.some((scope) => revoked.scopes.includes(scope))
  )
}

/** A new consent is dated after the last revocation, even if the clock was set back. */
function afterRevocations(at: string, consents: readonly Consent[]): string {
  return new Date(Math.max(Date.parse(at), lastRevocation(consents) + 1)).toISOString()
}
