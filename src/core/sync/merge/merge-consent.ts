import type { Consent } from '#contract/model/consent.ts'
import type { Audit } from '#core/audit/audit.ts'
import { isOneAgreement } from '#core/consent/consent-handlers.ts'
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
    if (theirs.revoked_at !== null) withdrawn(client_id)
    else if (!isRefusedHere(parts, theirs)) given()
    return
  }
  consents.keepServiceVersion(id, theirs.version)
  const revocations = pending.of(id, 'revoke-consent')
  if (theirs.revoked_at !== null) {
    pending.remove(revocations)
    if (mine.revoked_at === theirs.revoked_at) return
    if (isLater(mine.revoked_at, theirs.revoked_at)) return keepLaterNo(parts, mine, theirs.version)
    // Of two refusals the later counts: what was agreed to in between was taken back as well.
    consents.revoke(id, theirs.revoked_at)
    audit.append({ action: mine.revoked_at === null ? 'consent.revoked' : 'consent.merged', subject_id: id, client_id })
    if (mine.revoked_at === null) withdrawn(client_id)
  } else if (mine.revoked_at !== null && revocations.length === 0) tellRevoked(parts, mine, mine.revoked_at)
}

function isLater(mine: string | null, theirs: string): boolean {
  return mine !== null && Date.parse(mine) >= Date.parse(theirs)
}

/** The service goes on saying when it ended first, so what was agreed to before the later no is taken back by itself. */
function keepLaterNo(parts: Parts, refused: Consent, version: number): void {
  const { consents, common } = parts
  common.keep('consent', refused.id, { version, record: { is_later_here: true } })
  for (const form of consents.list(refused.client_id))
    if (isTakenBackBy(form, refused)) takeBack(parts, form, refused.revoked_at!)
}

/** Somebody said no here after it was given, which the service knows nothing of; true where it is taken back. */
function isRefusedHere(parts: Parts, form: Consent): boolean {
  const { consents, common } = parts
  const isLaterHere = ({ id }: Consent): boolean => {
    const agreed = common.of('consent', id)
    return agreed !== null && agreed !== 'gone' && agreed.record['is_later_here'] === true
  }
  const refusals = consents.list(form.client_id).filter((other) => isTakenBackBy(form, other) && isLaterHere(other))
  const last = refusals
    .map(({ revoked_at }) => revoked_at!)
    .toSorted()
    .at(-1)
  if (last !== undefined) takeBack(parts, form, last)
  return last !== undefined
}

function isTakenBackBy(form: Consent, refused: Consent): boolean {
  const { revoked_at } = refused
  const isBefore = revoked_at !== null && Date.parse(form.given_at) <= Date.parse(revoked_at)
  return form.id !== refused.id && form.revoked_at === null && isBefore && isOneAgreement(form, refused)
}

function takeBack(parts: Parts, form: Consent, at: string): void {
  const { id, client_id } = form
  parts.consents.revoke(id, at)
  parts.audit.append({ action: 'consent.revoked', subject_id: id, client_id })
  tellRevoked(parts, form, at)
  parts.withdrawn(client_id)
}

function tellRevoked({ pending }: Parts, { id, client_id }: Consent, revoked_at: string): void {
  const intent: AnyIntent = { kind: 'revoke-consent', client_id, session_id: null, subject_id: id, body: { revoked_at } }
  pending.replace([], intent, false)
}
