import { AppError } from '#contract/errors.ts'
import type { ConsentScope } from '#contract/model/consent.ts'
import { type ConsentForm, consentState, peoplePresent, withoutSessionBefore } from '#domain/consent.ts'
import type { Session } from '#contract/model/session.ts'
import { consentsOf, othersAt } from '#service/store/clients.ts'
import { recordsById } from '#service/store/records.ts'
import type { Database } from '#service/store/tables.ts'
import type { Analysis, AnalysisBody } from '#contract/model/analysis.ts'
import { idsWithin } from './reach.ts'
import type { Call } from './call.ts'
import { getSession } from '#service/store/sessions.ts'

/** `enforced` requires a stored consent of everyone present. `asserted` refuses only if someone present revoked consent. */
export type ConsentPolicy = 'enforced' | 'asserted'

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

export async function isAgreed(...asked: Parameters<typeof requireConsent>): Promise<boolean> {
  try {
    await requireConsent(...asked)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'consent-missing') return false
    throw error
  }
}

async function formsFor(db: Database, practice: string, { id, client_id, participants }: Session): Promise<ConsentForm[]> {
  const others = await othersAt(db, practice, id)
  const consents = await consentsOf(db, practice, [client_id, ...others])
  const isGroup = participants.length > 0 && !participants.some(({ role }) => role === 'client')
  const clients = await recordsById(db, 'clients', practice, isGroup ? [client_id, ...others] : others)
  return consents.flatMap((consent) => {
    const isElsewhere = consent.client_id !== client_id
    if (consent.participant.role !== 'client') return isElsewhere ? [] : [consent]
    const names = [consent.participant.name, clients.get(consent.client_id)?.display_name ?? '']
    return [isElsewhere || isGroup ? { ...consent, names } : consent]
  })
}

type Found = Pick<AnalysisBody, 'session_id' | 'changes' | 'next_questions'>

/** Null if the analyzed session is erased or lacks consent. If the previous session does, drops the parts that quote it. */
export async function agreedAnalysis<Of extends Found>(db: Database, practice: string, policy: ConsentPolicy, found: Of) {
  const mayQuote = (session: string): Promise<boolean> => isOpen(db, practice, policy, session)
  if (found.session_id !== null && !(await mayQuote(found.session_id))) return null
  return found.changes == null || (await mayQuote(found.changes.session_id)) ? found : withoutSessionBefore(found)
}

export async function readableAnalysis(
  db: Database,
  { practice, scope }: Pick<Call, 'practice' | 'scope'>,
  policy: ConsentPolicy,
  analysis: Analysis,
): Promise<Analysis | null> {
  const agreed = await agreedAnalysis(db, practice, policy, analysis)
  const before = agreed?.changes?.session_id
  if (agreed === null || before === undefined) return agreed
  return (await idsWithin(db, practice, scope, 'sessions', [before])).has(before) ? agreed : withoutSessionBefore(agreed)
}

async function isOpen(db: Database, practice: string, policy: ConsentPolicy, id: string): Promise<boolean> {
  try {
    return await isAgreed(db, practice, policy, await getSession(db, practice, id), 'analyze')
  } catch (error) {
    if (error instanceof AppError && (error.code === 'gone' || error.code === 'not-found')) return false
    throw error
  }
}
