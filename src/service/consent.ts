import { AppError } from '#contract/errors.ts'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant, Session } from '#contract/model/session.ts'
import type { ConsentPolicy } from './handler.ts'
import { consentsOf } from './store/consents.ts'
import type { Database } from './store/tables.ts'

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
  const consents = await consentsOf(db, practice, session.client_id)
  const present: readonly Participant[] = session.participants.length > 0 ? session.participants : [{ name: '', role: 'client' }]
  for (const person of present) {
    const theirs = consents.filter((consent) => isBy(consent, person, present) && consent.scopes.includes(scope))
    const lastNo = Math.max(
      -Infinity,
      ...theirs.flatMap(({ revoked_at }) => (revoked_at === null ? [] : [Date.parse(revoked_at)])),
    )
    // A no counts for everything agreed to before it, an older form that nobody took back included.
    const isGiven = theirs.some(({ revoked_at, given_at }) => revoked_at === null && Date.parse(given_at) > lastNo)
    if (isGiven || (policy === 'asserted' && theirs.length === 0)) continue
    throw new AppError('consent-missing')
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

/** The only client in the room is known by the record, whatever name they had then; all others by name and role. */
function isBy(consent: Consent, person: Participant, present: readonly Participant[]): boolean {
  if (consent.participant.role !== person.role) return false
  if (person.role === 'client' && present.filter(({ role }) => role === 'client').length === 1) return true
  return plain(consent.participant.name) === plain(person.name)
}

const plain = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase()
