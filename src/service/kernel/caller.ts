import type { Reach, Role, Route } from '#contract/rest/route.ts'

export type Plan = 'free' | 'professional' | 'enterprise'

/** Who calls, as far as every guard and the audit need it. */
export interface Caller {
  readonly practice_id: string
  readonly person_id: string
  readonly key_id: string | null
  readonly roles: readonly Role[]
  readonly plan: Plan
  /** Runs the machine of the service: the therapist at their own laptop, never a caller with a key or token. */
  readonly is_operator?: boolean
  /** Made with a `test` key: reaches sandbox engines only. */
  readonly is_test: boolean
  /** With the secret from before a rotation, which is good for a while yet, but not for changing keys. */
  readonly has_former_secret?: boolean
  /** Remembered from before: what it may holds as long as the practice's number is still this one. */
  readonly authority_version?: number
  /** When what the call shows ends by itself; never, where it is left out. */
  readonly ends_at?: string | null
  /** Where from, for the audit: `embedded`, or the address of the other end. */
  readonly source: string
}

/** Widest first. */
const widths: readonly Reach[] = ['all', 'supervised', 'caseload', 'own', 'limited']

/** Rights add up over roles; none of them is no right at all. */
export function reachOf(caller: Caller, route: Route): Reach {
  const reaches = caller.roles.map((role) => route.reach[role])
  return widths.find((width) => reaches.includes(width)) ?? 'none'
}

const embeddedPractice = '00000000-0000-7000-8000-000000000001'

/** The therapist at this laptop, who is the whole practice. */
export const embeddedCaller: Caller = {
  practice_id: embeddedPractice,
  person_id: '00000000-0000-7000-8000-000000000002',
  key_id: null,
  roles: ['owner', 'clinician'],
  plan: 'enterprise',
  is_test: false,
  is_operator: true,
  source: 'embedded',
}
