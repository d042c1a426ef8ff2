import type { AnalysisBody } from '#contract/model/analysis.ts'
import { type ConsentScope, consentScopeSchema } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { isSameName } from './names.ts'

export interface ConsentForm {
  readonly participant: Participant
  readonly scopes: readonly ConsentScope[]
  readonly given_at: string
  readonly revoked_at: string | null
  readonly text_version?: string
  /** All names of the client in whose record the form is, if that is not the session's client. */
  readonly names?: readonly string[]
}

export function peoplePresent(participants: readonly Participant[], clientName: string): readonly Participant[] {
  return participants.length > 0 ? participants : [{ name: clientName, role: 'client' }]
}

export type ConsentState = 'agreed' | 'revoked' | 'none'

/**
 * A revocation ends every consent to this scope that the person gave before it. Which forms count for `person`:
 * - If `person` is the only client present: forms of a client in the record of the session's client, under any name.
 * - Otherwise: forms under the same name with the same role; in another client's record, with any role.
 * - A revoked form also counts under the same name with any role, in any record.
 */
export function consentState(
  person: Participant,
  everyone: readonly Participant[],
  forms: readonly ConsentForm[],
  scope: ConsentScope,
): ConsentState {
  const inScope = forms.filter(({ scopes }) => scopes.includes(scope))
  const given = inScope.filter((form) => isGivenBy(form, person, everyone))
  const revoked = inScope.filter((form) => form.revoked_at !== null && isFormOf(form, person, everyone))
  if (given.length === 0 && revoked.length === 0) return 'none'
  const since = lastRevocation(revoked)
  const stands = given.some(({ revoked_at, given_at }) => revoked_at === null && Date.parse(given_at) > since)
  return stands ? 'agreed' : 'revoked'
}

/** Version of the consent text that asks whether the audio may be kept after the note is signed. Older texts do not. */
export const textAskingToKeep = 'read-aloud-2026-2'

/**
 * Refused only by a form of this person that asked about it, or by withdrawing one; anything less is unknown. If forms of several
 * clients are in the record, only those under the person's name count.
 */
export function keepingConsent(
  person: Participant,
  everyone: readonly Participant[],
  forms: readonly ConsentForm[],
): { readonly state: 'agreed' | 'unknown' } | { readonly state: 'refused'; readonly since: string } {
  if (consentState(person, everyone, forms, 'retain') === 'agreed') return { state: 'agreed' }
  const isAbout = ({ scopes, text_version }: ConsentForm): boolean =>
    scopes.includes('retain') || text_version?.split(' ')[0] === textAskingToKeep
  const given = forms.filter((form) => isGivenBy(form, person, everyone))
  const isOneName = given.every(({ participant }) => isSameName(participant.name, given[0]?.participant.name ?? ''))
  const last = given
    .filter((form) => isAbout(form) && (isOneName || isNamed(form, person)))
    .toSorted((a, b) => Date.parse(a.given_at) - Date.parse(b.given_at))
    .at(-1)
  const isRefusal = last !== undefined && (last.revoked_at !== null || !last.scopes.includes('retain'))
  return isRefusal ? { state: 'refused', since: last.given_at } : { state: 'unknown' }
}

export function agreedScopes(
  person: Participant,
  everyone: readonly Participant[],
  forms: readonly ConsentForm[],
): ConsentScope[] {
  return consentScopeSchema.options.filter((scope) => consentState(person, everyone, forms, scope) === 'agreed')
}

export function lastRevocation(forms: readonly Pick<ConsentForm, 'revoked_at'>[]): number {
  return Math.max(-Infinity, ...forms.flatMap(({ revoked_at }) => (revoked_at === null ? [] : [Date.parse(revoked_at)])))
}

export function isFormOf(form: ConsentForm, person: Participant, everyone: readonly Participant[]): boolean {
  return isNamed(form, person) || isGivenBy(form, person, everyone)
}

function isGivenBy(form: ConsentForm, person: Participant, everyone: readonly Participant[]): boolean {
  const isOnlyClient = person.role === 'client' && everyone.filter(({ role }) => role === 'client').length === 1
  const isInOtherRecord = form.names !== undefined
  if (isOnlyClient) return !isInOtherRecord && form.participant.role === 'client'
  return isNamed(form, person) && (isInOtherRecord || form.participant.role === person.role)
}

function isNamed({ participant, names = [participant.name] }: ConsentForm, { name }: Participant): boolean {
  return names.some((other) => isSameName(other, name))
}

export function withoutSessionBefore<Found extends Pick<AnalysisBody, 'changes' | 'next_questions'>>(found: Found): Found {
  return {
    ...found,
    changes: null,
    next_questions: found.next_questions.filter(({ evidence_of }) => evidence_of !== 'session_before'),
  }
}
