import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { ConsentScope } from '#contract/model/consent.ts'
import type { ConsentForm } from '#domain/consent.ts'
import { consentState, peoplePresent } from '#domain/consent.ts'
import type { Session } from '#contract/model/session.ts'
import { consentsOf } from '#service/store/consents.ts'
import { recordsById } from '#service/store/records.ts'
import { othersAt } from '#service/store/schedule.ts'
import type { Database } from '#service/store/tables.ts'

/** `enforced`: consents are looked up here. `asserted`: calling asserts them, which is audited. Revoked refuses under both. */
export type ConsentPolicy = 'enforced' | 'asserted'

/**
 * Whether everyone present agreed to this. Enforced: each must have said so and not taken it back. Asserted: the call
 * says so for them; somebody who took it back still refuses.
 *
 * @param session null where the call names none: nobody can then be asked about
 * @throws AppError `consent-missing`
 */
export async function requireConsent(
  db: Database,
  practice: string,
  policy: ConsentPolicy,
  session: Session | null,
  scope: ConsentScope,
): Promise<'checked' | 'asserted'> {
  if (session === null) {
    if (policy === 'enforced') throw new AppError('consent-missing', 'Name the session, so that its consents can be looked up.')
    return 'asserted'
  }
  const forms = await formsFor(db, practice, session)
  const present = peoplePresent(session.participants, '')
  for (const person of present) {
    const state = consentState(person, present, forms, scope)
    if (state === 'agreed' || (policy === 'asserted' && state === 'none')) continue
    throw new AppError(
      'consent-missing',
      `Nothing was written. Someone in the session has not agreed to \`${scope}\`, or has revoked consent. Record the consent (\`POST /consents\` with this scope), then send the request again.`,
    )
  }
  return policy === 'enforced' ? 'checked' : 'asserted'
}

/** The same as an answer instead of a refusal. */
export async function isAgreed(...asked: Parameters<typeof requireConsent>): Promise<boolean> {
  try {
    await requireConsent(...asked)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'consent-missing') return false
    throw error
  }
}

/** Who else comes may be a client too, and have said it in their own record. */
async function formsFor(db: Database, practice: string, { id, client_id, participants }: Session): Promise<ConsentForm[]> {
  const others = await othersAt(db, practice, id)
  const consents = await consentsOf(db, practice, [client_id, ...others])
  // In a group all are members, and nobody is called the client.
  const isGroup = participants.length > 0 && !participants.some(({ role }) => role === 'client')
  const clients = await recordsById<Client>(db, 'clients', practice, isGroup ? [client_id, ...others] : others)
  return consents.flatMap((consent) => {
    const isElsewhere = consent.client_id !== client_id
    if (consent.participant.role !== 'client') return isElsewhere ? [] : [consent]
    const names = [consent.participant.name, clients.get(consent.client_id)?.display_name ?? '']
    return [isElsewhere || isGroup ? { ...consent, names } : consent]
  })
}
