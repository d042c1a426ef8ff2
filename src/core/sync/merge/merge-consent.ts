import type { Consent } from '#contract/model/consent.ts'
import { isOneAgreement } from '#core/records/consent/consent-handlers.ts'
import type { Common } from './common.ts'
import type { PendingIntents } from './pending.ts'
import type { RecordParts } from '#core/records/repositories.ts'

interface Parts extends Pick<RecordParts, 'consents' | 'audit'> {
  readonly common: Common
  readonly pending: PendingIntents
  readonly withdrawn: (clientId: string) => void
  readonly given: () => void
}

/** A consent is never edited. A revocation on either side applies to both, and can't be undone. */
export function takeConsent(parts: Parts, theirs: Consent): void {
  const { consents, common, pending, audit, withdrawn, given } = parts
  const { id, client_id } = theirs
  if (common.of('consent', id) === 'gone') return
  const mine = consents.find(id)
  if (mine === null) {
    consents.insert({ ...theirs, version: 1 })
    consents.keepServiceVersion(id, theirs.version)
    audit.append({ action: 'consent.received', subject_id: id, client_id })
    if (theirs.revoked_at !== null) withdrawn(client_id)
    else if (!isRevokedHere(parts, theirs)) given()
    return
  }
  consents.keepServiceVersion(id, theirs.version)
  const revocations = pending.of(id, 'revoke-consent')
  if (theirs.revoked_at !== null) {
    pending.remove(revocations)
    if (mine.revoked_at === theirs.revoked_at) return
    if (mine.revoked_at !== null && Date.parse(mine.revoked_at) > Date.parse(theirs.revoked_at))
      keepLaterRevocation(parts, mine, mine.revoked_at)
    // Use the service's time of the revocation, so that all laptops have the same.
    consents.revoke(id, theirs.revoked_at)
    audit.append({ action: mine.revoked_at === null ? 'consent.revoked' : 'consent.merged', subject_id: id, client_id })
    if (mine.revoked_at === null) withdrawn(client_id)
  } else if (mine.revoked_at !== null && revocations.length === 0) pushRevocation(parts, mine, mine.revoked_at)
}

/** The later of two revocations also applies: it revokes consent given in between, even consent that arrives afterward. */
function keepLaterRevocation(parts: Parts, refused: Consent, at: string): void {
  const { consents, common } = parts
  common.keep('consent', refused.id, { version: refused.version, record: { refused_here_at: at } })
  for (const form of consents.list(refused.client_id)) if (isRevokedBy(form, refused, at)) revoke(parts, form, at)
}

function isRevokedHere(parts: Parts, form: Consent): boolean {
  const { consents, common } = parts
  const refusedHereAt = ({ id }: Consent): string | null => {
    const agreed = common.of('consent', id)
    const at = agreed === null || agreed === 'gone' ? null : agreed.record['refused_here_at']
    return typeof at === 'string' ? at : null
  }
  const refusals = consents.list(form.client_id).flatMap((other) => {
    const at = refusedHereAt(other)
    return at !== null && isRevokedBy(form, other, at) ? [at] : []
  })
  const last = refusals.toSorted().at(-1)
  if (last !== undefined) revoke(parts, form, last)
  return last !== undefined
}

function isRevokedBy(form: Consent, refused: Consent, at: string): boolean {
  const isBefore = Date.parse(form.given_at) <= Date.parse(at)
  return form.id !== refused.id && form.revoked_at === null && isBefore && isOneAgreement(form, refused)
}

function revoke(parts: Parts, form: Consent, at: string): void {
  const { id, client_id } = form
  parts.consents.revoke(id, at)
  parts.audit.append({ action: 'consent.revoked', subject_id: id, client_id })
  pushRevocation(parts, form, at)
  parts.withdrawn(client_id)
}

function pushRevocation({ pending }: Parts, { id, client_id }: Consent, revoked_at: string): void {
  pending.replace([], { kind: 'revoke-consent', client_id, session_id: null, subject_id: id, body: { revoked_at } })
}
