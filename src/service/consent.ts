import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant, Session } from '#contract/model/session.ts'
import type { ConsentPolicy } from './handler.ts'
import { consentsOf } from './store/consents.ts'
import { recordsById } from './store/records.ts'
import { othersAt } from './store/schedule.ts'
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
  const consents = await consentsFor(db, practice, session)
  const present: readonly Participant[] = session.participants.length > 0 ? session.participants : [{ name: '', role: 'client' }]
  for (const person of present) {
    const theirs = consents.filter((consent) => consent.scopes.includes(scope) && isBy(consent, person, present))
    const lastNo = Math.max(
      -Infinity,
      ...theirs.flatMap(({ revoked_at }) => (revoked_at === null ? [] : [Date.parse(revoked_at)])),
    )
    // A no counts for everything agreed to before it, an older form that nobody took back included.
    const isGiven = theirs.some(({ revoked_at, given_at }) => revoked_at === null && Date.parse(given_at) > lastNo)
    if (isGiven || (policy === 'asserted' && theirs.length === 0)) continue
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

interface Said extends Consent {
  /** What a client goes by who said it in their own record, where that is not the record of the session's only client. */
  readonly names: readonly string[] | null
}

/** Who else comes may be a client too, and have said it in their own record. */
async function consentsFor(db: Database, practice: string, { id, client_id, participants }: Session): Promise<Said[]> {
  const others = await othersAt(db, practice, id)
  const consents = await consentsOf(db, practice, [client_id, ...others])
  // In a group all are members, and nobody is called the client.
  const isGroup = participants.length > 0 && !participants.some(({ role }) => role === 'client')
  const clients = await recordsById<Client>(db, 'clients', practice, isGroup ? [client_id, ...others] : others)
  return consents.flatMap((consent) => {
    const isElsewhere = consent.client_id !== client_id
    if (consent.participant.role !== 'client') return isElsewhere ? [] : [{ ...consent, names: null }]
    const names = [consent.participant.name, clients.get(consent.client_id)?.display_name ?? '']
    return [{ ...consent, names: isElsewhere || isGroup ? names : null }]
  })
}

/** The only client in the room is known by the record, whatever name they had then; all others by name and role. */
function isBy({ participant, names }: Said, person: Participant, present: readonly Participant[]): boolean {
  const isOnlyClient = person.role === 'client' && present.filter(({ role }) => role === 'client').length === 1
  if (names !== null) return !isOnlyClient && names.some((name) => plain(name) === plain(person.name))
  if (participant.role !== person.role) return false
  return isOnlyClient || plain(participant.name) === plain(person.name)
}

const plain = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase()
