import type { Consent } from '#contract/model/consent.ts'
import type { Audit } from '#core/audit/audit.ts'
import type { ConsentRepository } from '#core/consent/consent-repository.ts'
import type { AnyIntent } from '#core/sync/intents.ts'
import type { Common } from './common.ts'
import type { PendingIntents } from './pending.ts'

interface Parts {
  readonly consents: ConsentRepository
  readonly common: Common
  readonly pending: PendingIntents
  readonly audit: Audit
  /** Work and sound that not everyone agrees to any more end at once. */
  readonly withdrawn: (clientId: string) => void
  /** What waited for somebody's agreement may have it now. */
  readonly given: () => void
}

/** A form is never edited; revoked on either side it is revoked on both, and nothing undoes that. */
export function takeConsent(parts: Parts, theirs: Consent): void {
  const { consents, common, pending, audit, withdrawn, given } = parts
  const { id, client_id } = theirs
  if (common.of('consent', id) === 'gone') return
  const mine = consents.find(id)
  if (mine === null) {
    consents.insert({ ...theirs, version: 1 })
    consents.keepServiceVersion(id, theirs.version)
    audit.append({ action: 'consent.received', subject_id: id, client_id })
    if (theirs.revoked_at === null) given()
    else withdrawn(client_id)
    return
  }
  consents.keepServiceVersion(id, theirs.version)
  const revocations = pending.of(id, 'revoke-consent')
  if (theirs.revoked_at !== null) {
    pending.remove(revocations)
    if (mine.revoked_at === theirs.revoked_at) return
    // Revoked on both sides it ended when the service says, so that it is the same on every laptop.
    consents.revoke(id, theirs.revoked_at)
    audit.append({ action: mine.revoked_at === null ? 'consent.revoked' : 'consent.merged', subject_id: id, client_id })
    if (mine.revoked_at === null) withdrawn(client_id)
  } else if (mine.revoked_at !== null && revocations.length === 0) {
    const body = { revoked_at: mine.revoked_at }
    const intent: AnyIntent = { kind: 'revoke-consent', client_id, session_id: null, subject_id: id, body }
    pending.replace([], intent, false)
  }
}
